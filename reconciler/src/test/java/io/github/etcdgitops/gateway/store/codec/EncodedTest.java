package io.github.etcdgitops.gateway.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.exceptionfactory.jagged.x25519.X25519KeyPairGenerator;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EncodedTest {
    private static final KeyPair KEYS = keys();
    private static final String IDENTITY = text(KEYS.getPrivate());
    private static final String RECIPIENT = text(KEYS.getPublic());
    private static final String OTHER_IDENTITY = text(keys().getPrivate());

    private static KeyPair keys() {
        try {
            return new X25519KeyPairGenerator().generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Key key) {
        return new String(key.getEncoded(), StandardCharsets.US_ASCII);
    }

    private final Encoded encoded = new Encoded(() -> List.of(OTHER_IDENTITY, IDENTITY));

    static Stream<Arguments> ways() {
        return Stream.of(false, true)
                .flatMap(zstd -> Stream.of(Optional.<String>empty(), Optional.of(RECIPIENT))
                        .map(recipient -> Arguments.of(zstd, recipient)));
    }

    /// Half of it can be compressed.
    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Arrays.fill(bytes, 0, size / 2, (byte) 'a');
        return bytes;
    }

    private byte[] encode(byte[] content, boolean zstd, Optional<String> recipient) throws IOException {
        var sink = new ByteArrayOutputStream();
        try (var encoder = encoded.encode(sink, zstd, recipient)) {
            for (int at = 0, piece = 1; at < content.length; at += piece, piece = Math.min(piece * 3, 50_000)) {
                encoder.write(content, at, Math.min(piece, content.length - at));
            }
            encoder.finish();
        }
        return sink.toByteArray();
    }

    private byte[] decode(byte[] bytes, boolean zstd, boolean encrypted) throws IOException {
        try (var in = encoded.decode(new ByteArrayInputStream(bytes), zstd, encrypted)) {
            return in.readAllBytes();
        }
    }

    private static GatewayException refused(ThrowingCallable call) {
        var refused = catchThrowableOfType(GatewayException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused).hasMessageNotContaining(IDENTITY).hasNoCause();
        return refused;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void decodesObjectOfAnySize(boolean zstd, Optional<String> recipient) throws IOException {
        for (int size : List.of(0, 1, 65_535, 65_536, 65_537, 131_072, 300_000)) {
            if (size == 0 && !zstd && recipient.isPresent()) {
                continue; // an object that is empty before it is encrypted does not occur
            }
            byte[] stored = encode(content(size), zstd, recipient);

            assertThat(decode(stored, zstd, recipient.isPresent()))
                    .as("%d bytes", size)
                    .isEqualTo(content(size));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void truncatedOrChangedDataIsDetected(boolean zstd, Optional<String> recipient) throws IOException {
        if (!zstd && recipient.isEmpty()) {
            return;
        }
        byte[] stored = encode(content(200_000), zstd, recipient);
        for (int i = 0; i < 60; i++) {
            int at = (int) ((long) stored.length * i / 60);

            assertDamaged(Arrays.copyOf(stored, at), zstd, recipient.isPresent());
            byte[] changed = stored.clone();
            changed[at] ^= 1;
            assertDamaged(changed, zstd, recipient.isPresent());
        }
    }

    private void assertDamaged(byte[] stored, boolean zstd, boolean encrypted) {
        try {
            byte[] read = decode(stored, zstd, encrypted);
            assertThat(Arrays.equals(read, content(200_000)))
                    .as("what was read of a damaged object is whole")
                    .isTrue();
        } catch (GatewayException e) {
            assertThat(e.kind()).isIn(Kind.REJECTED, Kind.UNAUTHORIZED);
        } catch (IOException e) {
            assertThat(((GatewayException) e.getCause()).kind()).isEqualTo(Kind.REJECTED);
        }
    }

    @Test
    void anotherIdentityDoesNotOpenIt() throws IOException {
        byte[] stored = encode(content(1000), true, Optional.of(RECIPIENT));
        var others = new Encoded(() -> List.of(OTHER_IDENTITY));
        var broken = new Encoded(() -> List.of("AGE-SECRET-KEY-1NOTAKEY"));

        assertThat(refused(() -> others.decode(new ByteArrayInputStream(stored), true, true))
                        .kind())
                .isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused(() -> broken.decode(new ByteArrayInputStream(stored), true, true)))
                .hasMessageNotContaining("NOTAKEY")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAUTHORIZED));
    }

    @Test
    void refusesInvalidRecipientBeforeWriting() {
        var sink = new ByteArrayOutputStream();

        assertThat(refused(() -> encoded.encode(sink, true, Optional.of(IDENTITY)))
                        .kind())
                .isEqualTo(Kind.REJECTED);
        assertThat(sink.size()).isZero();
    }

    /// A sink as an upload is: closing it too early would end it.
    private static final class Sink extends OutputStream {
        private int left;
        private boolean closed;

        Sink(int left) {
            this.left = left;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[1], 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
                var broken = new GatewayException(Kind.UNREACHABLE, true, "the connection broke");
                throw new IOException(broken.getMessage(), broken);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void closingWritesNothingAndLeavesTheSinkOpen(boolean zstd, Optional<String> recipient) throws IOException {
        var sink = new Sink(1 << 20);
        var encoder = encoded.encode(sink, zstd, recipient);
        encoder.write(content(100_000));
        int before = sink.left;

        encoder.close();
        encoder.close();

        assertThat(sink.left).isEqualTo(before);
        assertThat(sink.closed).isFalse();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void passesOnFailureOfSink(boolean zstd, Optional<String> recipient) throws IOException {
        try (var encoder = encoded.encode(new Sink(300_000), zstd, recipient)) {
            var failure = catchThrowableOfType(IOException.class, () -> {
                for (int i = 0; i < 20; i++) {
                    encoder.write(content(200_000 + i));
                }
                encoder.finish();
            });

            assertThat(failure).isNotNull();
            assertThat(failure.getCause())
                    .isInstanceOfSatisfying(
                            GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void brokenConnectionIsNoDamage(boolean zstd, Optional<String> recipient) throws IOException {
        byte[] stored = encode(content(300_000), zstd, recipient);
        var source = new InputStream() {
            private int at;

            @Override
            public int read() throws IOException {
                if (at == stored.length - 100) {
                    var broken = new GatewayException(Kind.UNREACHABLE, false, "the connection broke");
                    throw new IOException(broken.getMessage(), broken);
                }
                return stored[at++] & 0xff;
            }
        };

        var failure = catchThrowableOfType(
                IOException.class,
                () -> encoded.decode(source, zstd, recipient.isPresent()).readAllBytes());

        assertThat(failure).isNotNull();
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    }

    /// Its reader would have to hold 128 MiB outside of the heap.
    @Test
    void refusesStreamThatNeedsTooMuchMemory() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ZstdOutputStreamNoFinalizer(bytes, 1)) {
            out.setLong(27);
            out.write(content(1_000_000));
        }

        assertThatThrownBy(() -> decode(bytes.toByteArray(), true, false)).hasMessageContaining("it is not zstd");
    }
}
