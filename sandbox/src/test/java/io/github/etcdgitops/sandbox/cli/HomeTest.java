package io.github.etcdgitops.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
    @TempDir
    Path folder;

    @Test
    void announcedSandboxIsRunning() throws IOException {
        var home = Home.of(folder);
        home.announce(1234, "a token");

        assertThat(home.running()).hasValueSatisfying(running -> {
            assertThat(running.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(running.port()).isEqualTo(1234);
        });

        home.forget();
        assertThat(home.running()).isEmpty();
    }

    /// Else its folder would be taken from under it.
    @Test
    void toleratesStartTimeOffByOneSecond() throws IOException {
        assertThat(of(began().plusSeconds(1)).running()).isPresent();
        assertThat(of(began().minusSeconds(1)).running()).isPresent();
    }

    @Test
    void reusedPidIsAnotherProcess() throws IOException {
        assertThat(of(began().minus(Duration.ofHours(1))).running()).isEmpty();
    }

    private Home of(Instant started) throws IOException {
        Files.writeString(folder.resolve("control.json"), """
            {"pid": %d, "started": "%s", "port": 1234, "token": "a token"}
            """.formatted(
                        ProcessHandle.current().pid(), started));
        return Home.of(folder);
    }

    private static Instant began() {
        return ProcessHandle.current().info().startInstant().orElseThrow();
    }
}
