package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandstillTest {
    /// A process that is stopped stands still as a whole.
    @Test
    void measuresStandstillOfStoppedProcess() throws Exception {
        long from = System.nanoTime();
        try (var standstill = new Standstill()) {
            // Where it has not begun to look at the first stop, it sees the next one.
            EtcdProcess.await("the note", Duration.ofSeconds(30), () -> {
                stop();
                return standstill.between(from, System.nanoTime()).toMillis() > 300;
            });
            assertThat(standstill.between(from - Duration.ofHours(1).toNanos(), from))
                    .isZero();
        }
    }

    private static void stop() {
        String self = String.valueOf(ProcessHandle.current().pid());
        try {
            new ProcessBuilder("sh", "-c", "kill -STOP $0; sleep 0.4; kill -CONT $0", self)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
