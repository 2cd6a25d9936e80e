package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.SnapshotResponse;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotMessageTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 32 << 10, 100_000})
    void readsTheBlobOfWhatProtobufWrote(int size) {
        byte[] blob = blob(size);

        assertThat(read(message(blob))).isEqualTo(blob);
    }

    @Test
    void fieldsThatAreNotKnownYetAreSkipped() {
        byte[] blob = blob(500);
        var message = new ByteArrayOutputStream();
        // Fields 4, 5, 6 and 7: a text, two numbers of fixed size, and one that takes ten bytes.
        message.writeBytes(new byte[] {0x22, 3, '3', '.', '6'});
        message.writeBytes(new byte[] {0x29, 1, 2, 3, 4, 5, 6, 7, 8});
        message.writeBytes(message(blob));
        message.writeBytes(new byte[] {0x35, 1, 2, 3, 4});
        message.writeBytes(new byte[] {0x38, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});

        assertThat(read(message.toByteArray())).isEqualTo(blob);
    }

    @Test
    void messageWithoutABlobHasNothing() {
        assertThat(read(message(new byte[0]))).isEmpty();
        assertThat(read(new byte[0])).isEmpty();
    }

    @Test
    void refusesMalformedMessage() {
        byte[] message = message(blob(500));

        for (int size : new int[] {1, 3, message.length - 500, message.length - 1}) {
            assertRefused(Arrays.copyOf(message, size));
        }
        assertRefused(new byte[] {0x1b});
        assertRefused(new byte[] {0x1a, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
        assertRefused(new byte[] {0x1a, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
        assertRefused(new byte[] {0x22, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
    }

    private static void assertRefused(byte[] message) {
        assertThatThrownBy(() -> read(message)).isInstanceOf(StatusRuntimeException.class);
    }

    private static byte[] message(byte[] blob) {
        return SnapshotResponse.newBuilder()
                .setHeader(ResponseHeader.newBuilder().setClusterId(-1).setMemberId(7))
                .setRemainingBytes(1L << 40)
                .setBlob(ByteString.copyFrom(blob))
                .build()
                .toByteArray();
    }

    private static byte[] read(byte[] message) {
        var blob = new ByteArrayOutputStream();
        try (var read = new SnapshotMessage(new ByteArrayInputStream(message))) {
            for (var piece = read.next(); piece.isPresent(); piece = read.next()) {
                byte[] bytes = new byte[piece.get().remaining()];
                piece.get().get(bytes);
                blob.writeBytes(bytes);
            }
        }
        return blob.toByteArray();
    }

    private static byte[] blob(int size) {
        byte[] blob = new byte[size];
        new Random(size).nextBytes(blob);
        return blob;
    }
}
