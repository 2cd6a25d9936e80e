package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandstillTest {
    /// A process that is stopped stands still as a whole.
    @Test
    void measuresStandstillOfStoppedProcess() throws Exception {
        long from = System.nanoTime();
        try (var standstill = new Standstill()) {
            new ProcessBuilder(
                            "sh",
                            "-c",
                            "kill -STOP $0; sleep 0.4; kill -CONT $0",
                            String.valueOf(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();

            EtcdProcess.await(
                    "the note",
                    Duration.ofSeconds(10),
                    () -> standstill.between(from, System.nanoTime()).toMillis() > 300);
            assertThat(standstill.between(from - Duration.ofHours(1).toNanos(), from))
                    .isZero();
        }
    }
}
