package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.ProgressForm;
import io.github.etcdgitops.cli.console.TransferProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TransferProgressTest {
    private static final long MIB = 1 << 20;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Instant now = Instant.parse("2026-11-22T03:00:00Z");

    private TransferProgress progress(boolean json) {
        return new TransferProgress(
                InertStream.over(new PrintStream(said, true, StandardCharsets.UTF_8)),
                new ProgressForm(false, json),
                () -> now,
                "demo/orders");
    }

    private String said() {
        String text = said.toString(StandardCharsets.UTF_8);
        said.reset();
        return text;
    }

    @Test
    void terminalShowsBytesRateAndRemainingTime() {
        var progress = progress(false);
        progress.moved(MIB, 1000 * MIB);
        assertThat(said()).isEmpty();

        now = now.plusSeconds(10);
        progress.moved(100 * MIB, 1000 * MIB);

        assertThat(said()).endsWith("demo/orders  100 MiB of about 1000 MiB, 10 MiB/s, 90 s left");
        progress.ended();
        assertThat(said()).isEqualTo("\r\u001b[K");
    }

    @Test
    void elsewhereALineOfJsonNowAndThen() {
        var progress = progress(true);
        now = now.plusSeconds(10);
        progress.moved(100 * MIB, 1000 * MIB);
        now = now.plusSeconds(5);
        progress.moved(200 * MIB, 1000 * MIB);

        assertThat(said().lines())
                .containsExactly("{\"bytes\":104857600,\"bytesPerSecond\":10485760,\"message\":\"transfer\","
                        + "\"ring\":\"demo/orders\",\"secondsLeft\":90,\"totalBytes\":1048576000}");
    }

    @Test
    void timesRestartedStepsAgain() {
        var progress = progress(false);
        now = now.plusSeconds(100);
        progress.moved(1000 * MIB, 1000 * MIB);
        progress.moved(0, 1000 * MIB);
        now = now.plusSeconds(1);
        progress.moved(100 * MIB, 1000 * MIB);

        assertThat(said()).endsWith("100 MiB of about 1000 MiB, 100 MiB/s, 9 s left");
    }
}
