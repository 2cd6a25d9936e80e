package io.github.etcdgitops.gateway.etcd.call;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Frames to be sent, collected so that they go out together.
final class Outgoing {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int ENABLE_PUSH = 2;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_HEADER_LIST_SIZE = 6;

    /// Large enough for all answers of a connection, so that no window has to be opened any further.
    private static final int WINDOW_OF_STREAM = 2 << 20;

    private static final int WINDOW_OF_CONNECTION = 32 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);

    void preface() {
        bytes.writeBytes(PREFACE);
        head(18, Frame.Kind.SETTINGS, 0, 0);
        setting(ENABLE_PUSH, 0);
        setting(INITIAL_WINDOW_SIZE, WINDOW_OF_STREAM);
        setting(MAX_HEADER_LIST_SIZE, Headers.LARGEST);
        head(Integer.BYTES, Frame.Kind.WINDOW_UPDATE, 0, 0);
        number(WINDOW_OF_CONNECTION, Integer.BYTES);
    }

    /// `message` is at most as large as a frame.
    void request(int stream, byte[] headers, byte[] message) {
        if (headers.length > Frame.LARGEST) {
            throw Statuses.malformed("the headers of the request are larger than a frame");
        }
        head(headers.length, Frame.Kind.HEADERS, Frame.END_HEADERS, stream);
        bytes.writeBytes(headers);
        head(message.length, Frame.Kind.DATA, Frame.END_STREAM, stream);
        bytes.writeBytes(message);
    }

    void acknowledgeSettings() {
        head(0, Frame.Kind.SETTINGS, Frame.ACK, 0);
    }

    void acknowledgePing(ByteBuffer payload) {
        byte[] same = new byte[payload.remaining()];
        payload.get(same);
        head(same.length, Frame.Kind.PING, Frame.ACK, 0);
        bytes.writeBytes(same);
    }

    void flush(Wire wire) throws IOException {
        if (bytes.size() > 0) {
            byte[] all = bytes.toByteArray();
            bytes.reset();
            wire.write(all, all.length);
        }
    }

    private void setting(int name, int value) {
        number(name, Short.BYTES);
        number(value, Integer.BYTES);
    }

    private void head(int length, Frame.Kind kind, int flags, int stream) {
        number(length, 3);
        number(kind.number(), 1);
        number(flags, 1);
        number(stream, Integer.BYTES);
    }

    private void number(int value, int size) {
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            bytes.write(value >>> shift);
        }
    }
}
