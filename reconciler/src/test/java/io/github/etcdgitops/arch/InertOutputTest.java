package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import io.github.etcdgitops.cli.Cli;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.format.Rendering;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Nothing that a person or a terminal reads goes around the one place for its sink. What must is named, with the
/// reason.
class InertOutputTest {
    /// Whoever makes, and so may write to, a stream of text.
    private static final Set<String> STREAMS = Set.of(
            // Both of the process, filtered; and what picocli writes to, over them.
            "cli.console.InertStream",
            // A stack trace in memory, which is searched and never printed.
            "git.remote.TransportFailures");

    @Test
    void textStreamsAreMadeAtTheBoundary() {
        assertThat(callers(call -> List.of("java.io.PrintStream", "java.io.PrintWriter", "java.io.FileWriter")
                                .contains(call.getTargetOwner().getName())
                        && call.getTarget().getName().equals("<init>")))
                .isEqualTo(new TreeSet<>(STREAMS));
    }

    /// These write files as text.
    private static final Set<String> FILES = Set.of(
            // What `-o FORMAT=FILE` and `--out` go through.
            "cli.console.Outputs",
            // Looks whether it may write; nobody reads the file.
            "doctor.exam.ProcessExam",
            // Figures that end as a container's last word, which we read.
            "receive.Room",
            "receive.RevisionReport",
            // The page of metrics, whose labels are inert.
            "telemetry.MetricsOut");

    @Test
    void textFilesAreWrittenAtTheBoundary() {
        assertThat(callers(call -> call.getTargetOwner().getName().equals("java.nio.file.Files")
                        && Set.of("writeString", "newBufferedWriter")
                                .contains(call.getTarget().getName())))
                .isEqualTo(new TreeSet<>(FILES));
    }

    /// These serialise JSON.
    private static final Set<String> JSON = Set.of(
            "cli.console.JsonLine",
            "report.format.Json",
            // Kept beside a backup, and read by us.
            "backup.DrillResult",
            "backup.ManifestFile",
            // A document within a document, read by us.
            "document.PolicyTests",
            // Between the processes of one run.
            "pipeline.shard.ShardWord");

    @Test
    void jsonIsWrittenAtTheBoundary() {
        assertThat(callers(call -> call.getName().equals("writeValueAsString")
                        || call.getName().equals("writerWithDefaultPrettyPrinter")))
                .filteredOn(caller -> !caller.startsWith("gateway."))
                .containsExactlyInAnyOrderElementsOf(JSON);
    }

    /// A rendering for people cannot be a text that somebody else has put together.
    @Test
    void humanRenderingIsLines() {
        var found = Production.CLASSES.stream()
                .filter(type -> type.isAssignableTo(Rendering.class))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getName().equals("human"))
                .map(JavaMethod::getRawReturnType)
                .map(JavaClass::getName);

        assertThat(found).hasSizeGreaterThan(10).containsOnly(Lines.class.getName());
    }

    @Test
    void commandsPrintToTheFilteredStreamsAlone() throws ReflectiveOperationException {
        var made = Cli.class.getMethod("inert", PrintStream.class);
        assertThat(made.invoke(null, System.out).getClass().getSimpleName()).isEqualTo("InertStream");

        assertThat(Production.CLASSES.stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getRawType().getName().equals("java.io.PrintStream"))
                        .map(field -> field.getOwner().getSimpleName())
                        .distinct())
                .containsExactlyInAnyOrder("InertStream", "Filtering");
    }

    private static Set<String> callers(Predicate<JavaCodeUnitAccess<?>> wanted) {
        var found = new TreeSet<String>();
        for (JavaClass type : Production.CLASSES) {
            type.getCodeUnitAccessesFromSelf().stream()
                    .filter(wanted)
                    .map(call -> call.getOriginOwner().getName())
                    .map(name -> name.substring(Production.BASE.length() + 1).replaceAll("\\$.*", ""))
                    .forEach(found::add);
        }
        return found;
    }
}
