package io.github.etcdgitops.gateway.etcd.call;

import java.nio.ByteBuffer;
import java.util.List;

/// One frame of HTTP/2 as it was received. Its payload is valid until the next one is read.
record Frame(Kind kind, int flags, int stream, ByteBuffer payload) {
    static final int HEAD = 9;
    /// The largest payload that a peer may send or be sent without having said so.
    static final int LARGEST = 16 << 10;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;

    /// With its number in HTTP/2.
    enum Kind {
        DATA(0),
        HEADERS(1),
        PRIORITY(2),
        RST_STREAM(3),
        SETTINGS(4),
        PUSH_PROMISE(5),
        PING(6),
        GOAWAY(7),
        WINDOW_UPDATE(8),
        CONTINUATION(9),
        /// To be ignored.
        UNKNOWN(10);

        private static final List<Kind> ALL = List.of(values());
        private final int number;

        Kind(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Kind of(int number) {
            return ALL.get(Math.min(number, UNKNOWN.number));
        }
    }

    /// Of DATA and HEADERS.
    boolean endsStream() {
        return (flags & END_STREAM) != 0;
    }

    /// Of SETTINGS and PING.
    boolean acknowledges() {
        return (flags & ACK) != 0;
    }

    /// Of HEADERS and CONTINUATION.
    boolean endsHeaders() {
        return (flags & END_HEADERS) != 0;
    }

    /// Of DATA and HEADERS: what is between the padding.
    ByteBuffer content() {
        var content = payload.slice();
        int padding = (flags & PADDED) == 0 ? 0 : unsigned(content);
        if (kind == Kind.HEADERS && (flags & PRIORITY) != 0) {
            skip(content, PRIORITY_BYTES);
        }
        if (padding > content.remaining()) {
            throw Statuses.malformed("the padding is longer than its frame");
        }
        return content.limit(content.limit() - padding);
    }

    /// Of RST_STREAM, and of a GOAWAY after its first number.
    static long number(ByteBuffer payload) {
        if (payload.remaining() < Integer.BYTES) {
            throw Statuses.malformed("a frame is too short");
        }
        return Integer.toUnsignedLong(payload.getInt());
    }

    private static int unsigned(ByteBuffer content) {
        if (!content.hasRemaining()) {
            throw Statuses.malformed("a frame is too short");
        }
        return content.get() & 0xff;
    }

    private static void skip(ByteBuffer content, int bytes) {
        if (content.remaining() < bytes) {
            throw Statuses.malformed("a frame is too short");
        }
        content.position(content.position() + bytes);
    }
}
