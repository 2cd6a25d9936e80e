package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import io.grpc.Metadata;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// The headers of a request, in the plainest form that HTTP/2 knows: each in full, and for no table.
final class Headers {
    /// Of an answer: of all names and values together.
    static final int LARGEST = 8 << 10;

    /// gRPC allows eight digits.
    private static final long MOST_OF_A_UNIT = 100_000_000;

    private static final int LITERAL = 0;
    private static final int LARGEST_IN_A_BYTE = 127;

    private final ByteArrayOutputStream block = new ByteArrayOutputStream(512);

    /// `more` holds texts alone.
    static Headers ofRequest(String scheme, String authority, String method, Deadline deadline, Metadata more) {
        var headers = new Headers()
                .with(":method", "POST")
                .with(":scheme", scheme)
                .with(":path", "/" + method)
                .with(":authority", authority)
                .with("te", "trailers")
                .with("content-type", "application/grpc")
                .with("user-agent", "etcd-gitops")
                .with("grpc-timeout", timeout(deadline));
        for (String name : more.keys()) {
            var values = more.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
            if (values != null) {
                values.forEach(value -> headers.with(name, value));
            }
        }
        return headers;
    }

    Headers with(String name, String value) {
        block.write(LITERAL);
        text(name);
        text(value);
        return this;
    }

    byte[] block() {
        return block.toByteArray();
    }

    private static String timeout(Deadline deadline) {
        long micros = Math.max(1, deadline.timeRemaining(TimeUnit.MICROSECONDS));
        if (micros < MOST_OF_A_UNIT) {
            return micros + "u";
        }
        long millis = TimeUnit.MICROSECONDS.toMillis(micros);
        return millis < MOST_OF_A_UNIT ? millis + "m" : TimeUnit.MILLISECONDS.toSeconds(millis) + "S";
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        length(bytes.length);
        block.writeBytes(bytes);
    }

    private void length(int length) {
        if (length < LARGEST_IN_A_BYTE) {
            block.write(length);
            return;
        }
        block.write(LARGEST_IN_A_BYTE);
        int left = length - LARGEST_IN_A_BYTE;
        for (; left >= 0x80; left >>>= 7) {
            block.write((left & 0x7f) | 0x80);
        }
        block.write(left);
    }
}
