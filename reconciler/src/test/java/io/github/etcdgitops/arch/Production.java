package io.github.etcdgitops.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What the rules are held against: the product's classes and its sources, without the tests.
public final class Production {
    static final String BASE = "io.github.etcdgitops";
    static final Path SOURCES = Path.of("src/main/java/io/github/etcdgitops");
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(BASE);

    private Production() {}

    /// All records of a type, in all packages.
    public static Stream<Class<?>> records(Class<?> type) {
        return CLASSES.stream()
                .filter(found -> found.isAssignableTo(type) && found.isRecord())
                .map(JavaClass::reflect);
    }

    static Path source(Class<?> type) {
        return Path.of("src/main/java/" + type.getName().replace('.', '/') + ".java");
    }

    static List<Path> sources() {
        try (var files = Files.walk(SOURCES)) {
            return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
