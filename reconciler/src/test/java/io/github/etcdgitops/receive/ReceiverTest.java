package io.github.etcdgitops.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.SnapshotDigest;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The receiver and its sender on loopback.
class ReceiverTest {
    private static final byte[] BYTES = ReceivingEnd.bytes(3_000_000, 1);
    private static final SnapshotDigest DIGEST = ReceivingEnd.digest(BYTES);

    @TempDir
    private Path volume;

    private ReceivingEnd end;

    @AfterEach
    void stop() {
        if (end != null) {
            end.close();
        }
    }

    private ReceivingEnd start() throws IOException {
        return start(Disk.REAL);
    }

    private ReceivingEnd start(Disk disk) throws IOException {
        end = ReceivingEnd.start(new Receiver.Order(DIGEST, file(), Duration.ofMinutes(1)), disk);
        return end;
    }

    private Path file() {
        return volume.resolve(".restore").resolve("a1.db");
    }

    private void assertReceived() throws IOException {
        assertThat(end.outcome()).isInstanceOf(Outcome.Done.class);
        assertThat(file()).hasBinaryContent(BYTES);
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void takesTheSnapshotItWaitsFor() throws IOException {
        start().send(DIGEST, BYTES);

        assertReceived();
        assertThat(end.told()).isSorted().endsWith((long) BYTES.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void waitsOnWhenTheConnectionIsCutAtAnyTenth(int tenth) throws IOException {
        start();
        byte[] part = Arrays.copyOf(BYTES, BYTES.length / 10 * tenth);
        var cut = new SequenceInputStream(new ByteArrayInputStream(part), new Cut());

        assertThatThrownBy(() -> end.send(DIGEST, cut))
                .isInstanceOf(EOFException.class)
                .hasMessage("the store broke");

        assertThat(file()).doesNotExist();
        end.send(DIGEST, BYTES);
        assertReceived();
    }

    private static final class Cut extends InputStream {
        @Override
        public int read() throws IOException {
            throw new EOFException("the store broke");
        }
    }

    @Test
    void keepsNothingWhoseDigestIsWrong() throws IOException {
        start();
        byte[] other = BYTES.clone();
        other[1_234_567] ^= 1;

        assertRefused(
                DIGEST, other, "their SHA-256 is " + ReceivingEnd.digest(other).sha256());

        assertThat(volume.resolve(".restore")).isEmptyDirectory();
        end.send(DIGEST, BYTES);
        assertReceived();
    }

    @Test
    void refusesAnotherSnapshotBeforeItsBytes() throws IOException {
        start();
        byte[] longer = ReceivingEnd.bytes(3_000_001, 1);

        assertRefused(ReceivingEnd.digest(longer), longer, "another snapshot is expected");
        assertRefused(new SnapshotDigest(DIGEST.size() - 1, DIGEST.sha256()), BYTES, "another snapshot is expected");

        assertThat(end.told()).isEmpty();
        end.send(DIGEST, BYTES);
        assertReceived();
    }

    @Test
    void sendsNoMoreThanWasNamedHoweverMuchTheStoreHas() throws IOException {
        start();

        end.send(DIGEST, new SequenceInputStream(new ByteArrayInputStream(BYTES), new Cut()));

        assertReceived();
    }

    @Test
    void saysThatTheStoreHadTooLittle() throws IOException {
        start();

        assertRefused(DIGEST, Arrays.copyOf(BYTES, 1_000_000), "ended after 1000000 of 3000000 bytes");

        end.send(DIGEST, BYTES);
        assertReceived();
    }

    private void assertRefused(SnapshotDigest digest, byte[] bytes, String why) {
        assertThatThrownBy(() -> end.send(digest, bytes))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
                .hasMessageContaining(why);
    }

    @Test
    void survivesGarbage() throws IOException {
        start();

        assertThat(end.raw("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .startsWith("no: ");
        assertThat(end.raw(("etcd-gitops-snapshot/1 9 " + DIGEST.sha256() + " \n").getBytes(StandardCharsets.US_ASCII)))
                .startsWith("no: ");
        end.abort(new byte[0]);
        end.abort(ReceivingEnd.bytes(100_000, 7));
        end.abort("etcd-gitops".getBytes(StandardCharsets.US_ASCII));

        end.send(DIGEST, BYTES);
        assertReceived();
    }

    @Test
    void ofTwoAtOnceTheSecondWaitsAndHasItsTurnWhenTheFirstFails() throws Exception {
        start();
        try (Socket first = end.connect()) {
            Protocol.say(first.getOutputStream(), Protocol.header(DIGEST));
            assertThat(Protocol.line(first.getInputStream())).isEqualTo(Protocol.GO);
            first.getOutputStream().write(BYTES, 0, 1_000_000);

            var second = end.sendLater(DIGEST, BYTES);
            assertThat(file()).doesNotExist();
            first.close();

            second.get();
        }
        assertReceived();
    }

    @Test
    void ofTwoThatBothSendItAllOneIsTaken() throws Exception {
        start();

        var one = end.sendLater(DIGEST, BYTES);
        var two = end.sendLater(DIGEST, BYTES);

        var ends = Stream.of(one, two).map(ReceivingEnd::kind).toList();
        assertThat(ends).contains("sent").allMatch(e -> e.equals("sent") || e.equals("UNREACHABLE"));
        assertReceived();
    }

    @Test
    void hasItAlreadyWhenThePodStartsAgain() throws IOException {
        start().send(DIGEST, BYTES);
        end.close();

        start();

        assertThat(end.outcome()).isEqualTo(new Outcome.Done("the snapshot is already here and complete"));
    }

    @Test
    void removesWhatEarlierRestoresLeft() throws IOException {
        Files.createDirectories(file().getParent());
        Files.write(file(), Arrays.copyOf(BYTES, 10));
        Files.write(file().resolveSibling("a0.db"), BYTES);
        Files.write(file().resolveSibling("a0.db.part"), BYTES);

        start().send(DIGEST, BYTES);

        assertReceived();
    }

    @Test
    void saysBeforehandThatTheVolumeIsTooSmall() throws IOException {
        start(new FullDisk(70_000_000, false));

        assertRefused(DIGEST, BYTES, "70000000 bytes are free on it, and 73108864 are needed");

        assertThat(end.told()).isEmpty();
    }

    @Test
    void saysThatTheVolumeTookNoMore() throws IOException {
        start(new FullDisk(80_000_000, true));

        assertRefused(DIGEST, BYTES, "80000000 bytes are free on it");

        assertThat(volume.resolve(".restore")).isEmptyDirectory();
    }

    /// `/dev/full` says of every write that no space is left.
    private record FullDisk(long bytes, boolean full) implements Disk {
        @Override
        public long free(Path folder) {
            return bytes;
        }

        @Override
        public FileChannel create(Path file) throws IOException {
            return full ? FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE) : Disk.REAL.create(file);
        }
    }

    @Test
    void givesUpWithoutSender() throws IOException {
        end = ReceivingEnd.start(new Receiver.Order(DIGEST, file(), Duration.ofMillis(1)), Disk.REAL);

        assertThat(end.outcome()).isInstanceOf(Outcome.GaveUp.class);
    }

    @Test
    void reportsRefusedConnection() throws IOException {
        start().send(DIGEST, BYTES);
        assertReceived();

        assertThatThrownBy(() -> end.send(DIGEST, BYTES))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageContaining("pod ring/db-restore-x");
    }
}
