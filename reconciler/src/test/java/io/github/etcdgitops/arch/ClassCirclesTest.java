package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A package reads from the bottom up: no class depends on one that depends on it. A nested class
/// counts as the class of its file. What a sealed type permits is no dependency of it, but a call or a
/// switch in it is.
class ClassCirclesTest {
    /// Of each class those of its package that it depends on, with one place that does.
    private final Map<JavaClass, Map<JavaClass, Dependency>> uses = new TreeMap<>(BY_NAME);

    private static final Comparator<JavaClass> BY_NAME = Comparator.comparing(JavaClass::getName);

    @Test
    void classesOfPackageFormNoCircle() {
        Production.CLASSES.forEach(this::add);
        var found = new TreeMap<String, TreeSet<String>>();

        for (var type : uses.keySet()) {
            for (var use : uses.get(type).entrySet()) {
                if (reached(use.getKey()).contains(type)) {
                    found.computeIfAbsent(inProduct(type.getPackageName()), _ -> new TreeSet<>())
                            .add(edge(type, use.getKey(), use.getValue()));
                }
            }
        }

        assertThat(found).as("what closes a circle: %s", lines(found)).isEmpty();
    }

    private void add(JavaClass type) {
        for (var dependency : type.getDirectDependenciesFromSelf()) {
            var from = file(type);
            var to = file(dependency.getTargetClass().getBaseComponentType());
            if (from.getPackageName().equals(to.getPackageName()) && !from.equals(to)) {
                uses.computeIfAbsent(from, _ -> new TreeMap<>(BY_NAME)).putIfAbsent(to, dependency);
            }
        }
    }

    private static JavaClass file(JavaClass type) {
        return type.getEnclosingClass().map(ClassCirclesTest::file).orElse(type);
    }

    private Set<JavaClass> reached(JavaClass start) {
        var reached = new TreeSet<>(BY_NAME);
        var next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            var type = next.pop();
            if (reached.add(type)) {
                next.addAll(uses.getOrDefault(type, Map.of()).keySet());
            }
        }
        return reached;
    }

    private static String edge(JavaClass from, JavaClass to, Dependency dependency) {
        return from.getSimpleName() + " -> " + to.getSimpleName() + ": "
                + dependency.getDescription().replace(Production.BASE + ".", "");
    }

    private static String inProduct(String packageName) {
        return packageName.substring(Production.BASE.length()).replaceFirst("^\\.", "");
    }

    private static String lines(Map<String, TreeSet<String>> found) {
        var lines = new StringBuilder();
        found.forEach((name, edges) -> {
            lines.append('\n').append(name);
            edges.forEach(edge -> lines.append("\n    ").append(edge));
        });
        return lines.append('\n').toString();
    }
}
