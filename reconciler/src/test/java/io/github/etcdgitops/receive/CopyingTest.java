package io.github.etcdgitops.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyingTest {
    @TempDir
    private Path volume;

    private Path data;

    @BeforeEach
    void fill() throws IOException {
        data = volume.resolve("a1");
        Files.createDirectories(data.resolve("member/snap"));
        Files.createDirectories(data.resolve("member/wal"));
        Files.writeString(data.resolve("member/snap/db"), "database");
        Files.writeString(data.resolve("member/wal/0-0.wal"), "log");
    }

    @Test
    void copiesAllThatIsThere() {
        var copy = volume.resolve("look");

        assertThat(Copying.copy(data, copy)).isEqualTo(new Outcome.Done("11 bytes are copied"));

        assertThat(copy.resolve("member/snap/db")).hasContent("database");
        assertThat(copy.resolve("member/wal/0-0.wal")).hasContent("log");
        assertThat(data.resolve("member/snap/db")).hasContent("database");
    }

    @Test
    void saysThatThereIsNothing() {
        assertThat(Copying.copy(volume.resolve("a2"), volume.resolve("look")))
                .isEqualTo(new Outcome.Failed("the volume has no data of a member: there is no member in a2"));
    }

    @Test
    void isNotLedElsewhere() throws IOException {
        Files.createSymbolicLink(data.resolve("member/wal/1-1.wal"), Path.of("/etc/hostname"));

        assertThat(Copying.copy(data, volume.resolve("look")))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("wal/1-1.wal is neither a file nor a folder"));
    }

    @Test
    void writesOverNothing() throws IOException {
        Files.createDirectory(volume.resolve("look"));

        assertThat(Copying.copy(data, volume.resolve("look"))).isInstanceOf(Outcome.Failed.class);
    }
}
