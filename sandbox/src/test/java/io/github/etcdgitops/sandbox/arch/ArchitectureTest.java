package io.github.etcdgitops.sandbox.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Objects know nobody, and images only where etcd comes from; the API, the controllers and the machines know the
/// objects and not one another; the commands put all of it together.
class ArchitectureTest {
    private static final String ROOT = "io.github.etcdgitops.sandbox";
    private static final int FILE = 300;
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private static String in(String name) {
        return ROOT + "." + name + "..";
    }

    @Test
    void objectsAndBinariesKnowNobody() {
        noClasses()
                .that()
                .resideInAnyPackage(in("objects"), in("etcd"), in("image"), in("fault"), in("network"), in("process"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(in("api"), in("controller"), in("node"), in("cli"))
                .check(CLASSES);
    }

    @Test
    void upperLayersDoNotDependOnEachOther() {
        for (String floor : List.of("api", "controller", "node")) {
            for (String other : List.of("api", "controller", "node", "cli", "fault")) {
                if (!floor.equals(other)) {
                    noClasses()
                            .that()
                            .resideInAPackage(in(floor))
                            .should()
                            .dependOnClassesThat()
                            .resideInAPackage(in(other))
                            .check(CLASSES);
                }
            }
        }
    }

    @Test
    void noCircles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void dependsOnNothingOfTheProduct() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.github.etcdgitops..").and(resideOutsideOfPackage(ROOT + "..")))
                .check(CLASSES);
    }

    @Test
    void noFileIsLongerThanAPersonReads() throws IOException {
        try (var files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(FILE);
            }
        }
    }
}
