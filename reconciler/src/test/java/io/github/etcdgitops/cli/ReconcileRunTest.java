package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import io.github.etcdgitops.cli.run.ReconcileOptions;
import io.github.etcdgitops.cli.run.ReconcileRun;
import io.github.etcdgitops.cli.wiring.ShardOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReconcileRunTest {
    @TempDir
    Path folder;

    @Test
    void endsAsItWouldHaveWhereItsMetricsFail() {
        var said = new ByteArrayOutputStream();
        var stream = InertStream.over(new PrintStream(said, true, StandardCharsets.UTF_8));
        var surface =
                new Surface(Map.of("XDG_CACHE_HOME", folder.toString()), stream, stream, new Terminal(false, Map.of()));
        var options = new ReconcileOptions();
        new CommandLine(options)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs("--repo", folder.resolve("gone").toString());
        var ending = ShutdownSignal.onSignal(Duration.ZERO, () -> {});

        var exit = new ReconcileRun(surface, options, new ShardOptions(), ending, _ -> {
                    throw new IllegalStateException("a secret");
                })
                .run();

        ending.done();
        assertThat(exit).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("warning: the run leaves no metrics: internal error, reference ")
                .doesNotContain("a secret");
    }
}
