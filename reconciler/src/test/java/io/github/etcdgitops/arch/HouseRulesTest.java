package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Sizes and words: what keeps a file readable from top to bottom.
class HouseRulesTest {
    private static final int FILE = 300;
    private static final int METHOD = 40;
    private static final int PARAMETERS = 7;

    /// The head of a method in formatted source: at least a type and a name before the parenthesis. A
    /// statement has one word there, or a keyword.
    private static final Pattern METHOD_HEAD = Pattern.compile(
            "^(?<indent> {4}| {8})(?! |return |throw |new |else |yield |assert |case"
                    + " |@|.*\\b(?:record|class|interface|enum) )(?:[\\w<>\\[\\],.?&@ ]+ )?[\\w<>\\[\\],.?]+ \\w+\\(.*");

    @Test
    void noFileIsLongerThanAPersonReads() {
        var tooLong = Production.sources().stream()
                .filter(f -> Production.lines(f).size() > FILE)
                .toList();

        assertThat(tooLong).isEmpty();
    }

    @Test
    void noMethodIsLongerThanAScreen() {
        var found = new TreeMap<String, Integer>();

        for (Path file : Production.sources()) {
            methods(Production.lines(file)).forEach((head, length) -> {
                if (length > METHOD) {
                    found.put(file.getFileName() + ": " + head, length);
                }
            });
        }

        assertThat(found).isEmpty();
    }

    @Test
    void scanFindsMethodsAndTheirLengths() {
        var lines = List.of(
                "final class A {",
                "    static int f(",
                "            int a) {",
                "        return g(x -> {",
                "        });",
                "    }",
                "",
                "    int h();",
                "}");

        assertThat(methods(lines)).containsExactly(Map.entry("static int f(", 5));
    }

    /// Head to number of lines, from the head to the brace at the same indentation.
    private static Map<String, Integer> methods(List<String> lines) {
        var methods = new TreeMap<String, Integer>();
        for (int start = 0; start < lines.size(); start++) {
            var head = METHOD_HEAD.matcher(lines.get(start));
            if (!head.matches()) {
                continue;
            }
            int body = start;
            while (body < lines.size() && !lines.get(body).matches(".*[{;}]$")) {
                body++;
            }
            int end = body;
            while (end < lines.size() && !lines.get(end).equals(head.group("indent") + "}")) {
                end++;
            }
            if (body < lines.size() && lines.get(body).endsWith("{") && end < lines.size()) {
                methods.put(lines.get(start).strip(), end - start + 1);
            }
        }
        return methods;
    }

    /// But for what has the fields that are in a text.
    @Test
    void takesAtMostSevenParameters() {
        var found = new ArrayList<String>();

        for (JavaClass type : Production.CLASSES) {
            // The compiler adds two parameters to the constructor of an enum, and its own to lambdas.
            type.getCodeUnits().stream()
                    .filter(c -> !type.isEnum() && !c.getModifiers().contains(JavaModifier.SYNTHETIC))
                    .filter(c -> !c.getName().startsWith("lambda$"))
                    .filter(c -> c.getRawParameterTypes().size() > PARAMETERS)
                    .filter(_ -> !type.isAssignableTo(Production.BASE + ".gateway.kube.journal.Wire"))
                    .forEach(c -> found.add(c.getFullName()));
        }

        assertThat(found).isEmpty();
    }

    @Test
    void leavesNoTodo() {
        assertThat(occurrences(Production.sources(), "TODO|FIXME|XXX")).isEmpty();
    }

    /// A switch over our own types has no default, so that a new case does not compile until everybody
    /// knows it. These are over other people's types: what has a default is named here, with what it is
    /// over.
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("certificate/Pem.java", "names of algorithms"),
            Map.entry("cli/console/Failures.java", "exceptions"),
            Map.entry("cli/wiring/LeaseHolderName.java", "texts"),
            Map.entry("cli/Commands.java", "names of commands"),
            Map.entry("cli/YamlText.java", "JSON values"),
            Map.entry("document/kind/ClusterReader.java", "texts"),
            Map.entry("document/schema/SchemaCheck.java", "keywords of JSON Schema"),
            Map.entry("document/schema/SchemaWords.java", "keywords of JSON Schema"),
            Map.entry("document/yaml/YamlTree.java", "events of the YAML parser"),
            Map.entry("expression/SchemaTypes.java", "types of JSON Schema"),
            Map.entry("gateway/etcd/call/Statuses.java", "HTTP status codes and exceptions"),
            Map.entry("gateway/forge/Answers.java", "texts"),
            Map.entry("gateway/forge/ForgeErrors.java", "HTTP status codes"),
            Map.entry("gateway/kube/api/ApiCall.java", "HTTP status codes"),
            Map.entry("gateway/kube/api/ApiCounts.java", "HTTP methods"),
            Map.entry("gateway/kube/write/Drift.java", "JSON values"),
            Map.entry("gateway/kube/journal/JournalFile.java", "exceptions"),
            Map.entry("gateway/kube/manifest/MemberConfigFile.java", "texts"),
            Map.entry("gateway/store/directory/DirectoryErrors.java", "exceptions"),
            Map.entry("gateway/store/call/S3Answers.java", "requests of the S3 client"),
            Map.entry("gateway/store/s3/S3Errors.java", "exceptions and HTTP status codes"),
            Map.entry("git/repository/RepositoryAddress.java", "URL schemes"),
            Map.entry("inert/Inert.java", "characters"),
            Map.entry("pipeline/environment/Parallel.java", "exceptions"),
            Map.entry("policy/SecretSearch.java", "values of Kubernetes' structures"),
            Map.entry("report/MarkdownText.java", "characters"),
            Map.entry("ring/Resolved.java", "values of any type"),
            Map.entry("policy/RingFields.java", "parts of a pod template"),
            Map.entry("spec/value/SecretShapes.java", "characters"),
            Map.entry("state/ForeignFlags.java", "paths of Kubernetes' fields"),
            Map.entry("state/ForeignSettings.java", "flags of etcd"),
            Map.entry("state/journal/MemberSettings.java", "JSON values"));

    @Test
    void switchesOverOurOwnTypesHaveNoDefault() {
        var files = new TreeMap<String, Integer>();
        for (Path file : Production.sources()) {
            int count = (int) Production.lines(file).stream()
                    .filter(l ->
                            l.matches(".*\\bdefault\\s*(->|:).*") && !l.strip().startsWith("//"))
                    .count();
            if (count > 0) {
                files.put(Production.SOURCES.relativize(file).toString(), count);
            }
        }

        assertThat(files).containsOnlyKeys(DEFAULTS.keySet());
    }

    /// Words that have a plainer equivalent, and "node" where a member is meant.
    private static final String BANNED = "(?i)\\b(slave|whitelist|blacklist|sanity|dummy|etcd[ -]nodes?|"
            + "cluster[ -]nodes?|seamless(ly)?|leverage)\\b";

    @Test
    void bannedWordsAreNotUsed() throws IOException {
        var files = new ArrayList<>(Production.sources());
        for (String root : List.of("../docs", "../schemas", "../policies", "../example-repo", "../README.md")) {
            if (Files.exists(Path.of(root))) {
                try (Stream<Path> walk = Files.walk(Path.of(root))) {
                    walk.filter(f -> f.toString().matches(".*\\.(md|json|ya?ml)"))
                            .forEach(files::add);
                }
            }
        }

        assertThat(occurrences(files, BANNED)).isEmpty();
    }

    private static List<String> occurrences(List<Path> files, String regex) {
        var pattern = Pattern.compile(regex);
        var found = new ArrayList<String>();
        for (Path file : files) {
            int number = 0;
            for (String line : Production.lines(file)) {
                number++;
                if (pattern.matcher(line).find()) {
                    found.add(file + ":" + number + ": " + line.strip());
                }
            }
        }
        return found;
    }
}
