package io.github.etcdgitops.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettlingTest {
    @TempDir
    private Path volume;

    private Path received;
    private Path data;

    @BeforeEach
    void restore() throws IOException {
        received = Files.createDirectories(volume.resolve(".restore")).resolve("a1.db");
        data = volume.resolve("a1");
        Files.writeString(received, "snapshot");
        Files.createDirectories(data.resolve("member/snap"));
        Files.createDirectories(data.resolve("member/wal"));
        Files.writeString(data.resolve("member/snap/db"), "database");
        Files.writeString(data.resolve("member/wal/0-0.wal"), "log");
    }

    @Test
    void removesTheSnapshotFromBesideTheData() {
        assertThat(RestoreCompletion.settle(received, data)).isInstanceOf(Outcome.Done.class);

        assertThat(volume.resolve(".restore")).doesNotExist();
        assertThat(data.resolve("member/snap/db")).hasContent("database");
    }

    @Test
    void isDoneASecondTime() {
        RestoreCompletion.settle(received, data);

        assertThat(RestoreCompletion.settle(received, data)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void leavesWhatOthersHavePutIntoTheFolder() throws IOException {
        Path other = Files.writeString(volume.resolve(".restore/notes"), "mine");

        assertThat(RestoreCompletion.settle(received, data)).isInstanceOf(Outcome.Done.class);

        assertThat(other).exists();
        assertThat(received).doesNotExist();
    }

    @Test
    void keepsTheSnapshotWhenThereIsNoDatabase() throws IOException {
        Files.delete(data.resolve("member/snap/db"));

        assertFailed("there is no " + data.resolve("member/snap/db"));
    }

    @Test
    void keepsTheSnapshotWhenTheLogIsEmpty() throws IOException {
        Files.writeString(data.resolve("member/wal/0-0.wal"), "");

        assertFailed("there is no write-ahead log");
    }

    @Test
    void keepsTheSnapshotWhenThereIsNoData() {
        data = volume.resolve("a2");

        assertFailed("there is no ");
    }

    private void assertFailed(String why) {
        assertThat(RestoreCompletion.settle(received, data))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.message()).startsWith(why));
        assertThat(received).exists();
    }
}
