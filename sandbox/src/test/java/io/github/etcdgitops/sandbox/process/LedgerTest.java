package io.github.etcdgitops.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    @TempDir
    Path folder;

    private Process process;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "120").start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Test
    void endsWhatIsLeft() throws Exception {
        new Ledger(folder).add(process.pid());

        assertThat(Ledger.endLeftovers(folder)).isEqualTo(1);

        assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(Ledger.endLeftovers(folder)).isZero();
    }

    @Test
    void leavesAProcessAloneThatHasTheSameNumberOnly() throws Exception {
        new Ledger(folder).add(process.pid());
        Path file = folder.resolve("processes");
        String[] fields = Files.readString(file).split(" ");
        Files.writeString(file, fields[0] + " " + (Long.parseLong(fields[1]) - 1) + " " + fields[2]);

        assertThat(Ledger.endLeftovers(folder)).isZero();

        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void forgetsWhatHasEnded() throws Exception {
        var ledger = new Ledger(folder);
        ledger.add(process.pid());
        ledger.remove(process.pid());

        assertThat(Ledger.endLeftovers(folder)).isZero();
    }
}
