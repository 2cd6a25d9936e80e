package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands of a restore's pod.
class ReceiveCommandTest {
    /// Of the five bytes `bytes`, by sha256sum.
    private static final String SHA256 = "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9";

    @TempDir
    private Path volume;

    @Test
    void isHiddenFromHelp() {
        assertThat(Ran.of("--help").out()).doesNotContain("receive", "settle", "room ");
        assertThat(Ran.of("receive", "--help").code()).isZero();
        assertThat(Ran.of("settle", "--help").code()).isZero();
    }

    @Test
    void refusesWhatIsNoDigest() {
        Path file = volume.resolve("a.db");

        assertThat(Ran.of("receive", "--size=5", "--sha256=abc", "--file=" + file)
                        .code())
                .isEqualTo(64);
        assertThat(Ran.of("receive", "--size=0", "--sha256=" + SHA256, "--file=" + file)
                        .code())
                .isEqualTo(64);
        assertThat(Ran.of("receive", "--size=5", "--sha256=" + SHA256, "--file=" + file, "--patience=0")
                        .code())
                .isEqualTo(64);
    }

    @Test
    void givesUpAfterItsPatience() {
        var ran = Ran.of(
                "receive",
                "--port=0",
                "--size=5",
                "--sha256=" + SHA256,
                "--file=" + volume.resolve("x/a.db"),
                "--patience=1");

        assertThat(ran.code()).isEqualTo(75);
        assertThat(ran.err()).contains("no snapshot arrived within 1 seconds");
    }

    @Test
    void saysThatItCannotWrite() throws IOException {
        Path file = Files.writeString(volume.resolve("file"), "");

        var ran = Ran.of("receive", "--port=0", "--size=5", "--sha256=" + SHA256, "--file=" + file.resolve("a.db"));

        assertThat(ran.code()).isEqualTo(20);
        assertThat(ran.err()).contains("cannot write to " + file);
    }

    @Test
    void saysThatNothingWasRestored() {
        var ran = Ran.of("settle", "--file=" + volume.resolve("a.db"), "--data-dir=" + volume.resolve("a"));

        assertThat(ran.code()).isEqualTo(20);
        assertThat(ran.err()).contains("there is no ");
    }

    @Test
    void reportsFreeSpaceOfVolume() throws IOException {
        Path message = volume.resolve("told.json");

        var ran = Ran.of("room", "--dir=" + volume, "--message=" + message);

        assertThat(ran.code()).isZero();
        assertThat(Files.readString(message)).matches("\\{\"free\":[1-9][0-9]*}");
        assertThat(Ran.of("room", "--dir=" + volume.resolve("none"), "--message=" + message)
                        .code())
                .isEqualTo(20);
    }
}
