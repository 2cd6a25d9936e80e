package io.github.etcdgitops.gateway.etcd.call;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Frames as a server sends them.
public final class Sent {
    public static final byte[] SETTINGS = frame(Frame.Kind.SETTINGS, 0, 0);

    private Sent() {}

    static byte[] frame(Frame.Kind kind, int flags, int stream, byte... payload) {
        return frame(kind.number(), flags, stream, payload);
    }

    public static byte[] frame(int kind, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(Frame.HEAD + payload.length)
                .putInt(payload.length << 8 | kind)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    static byte[] settings(int name, int value) {
        return frame(
                Frame.Kind.SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6).putShort((short) name).putInt(value).array());
    }

    /// Names and values in turn.
    public static byte[] block(String... headers) {
        var block = new Headers();
        for (int i = 0; i < headers.length; i += 2) {
            block.with(headers[i], headers[i + 1]);
        }
        return block.block();
    }

    public static byte[] headers(int stream, String... headers) {
        return frame(Frame.Kind.HEADERS, Frame.END_HEADERS, stream, block(headers));
    }

    public static byte[] lastHeaders(int stream, String... headers) {
        return frame(Frame.Kind.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, block(headers));
    }

    public static byte[] begun(int stream) {
        return headers(stream, ":status", "200", "content-type", "application/grpc");
    }

    public static byte[] ended(int stream) {
        return lastHeaders(stream, "grpc-status", "0", "grpc-message", "");
    }

    public static byte[] data(int stream, byte... payload) {
        return frame(Frame.Kind.DATA, 0, stream, payload);
    }

    public static byte[] lastData(int stream, byte... payload) {
        return frame(Frame.Kind.DATA, Frame.END_STREAM, stream, payload);
    }

    /// With its prefix.
    public static byte[] message(byte... content) {
        return ByteBuffer.allocate(5 + content.length)
                .put((byte) 0)
                .putInt(content.length)
                .put(content)
                .array();
    }

    /// Of so many bytes, of which `content` are the first ones that are sent.
    public static byte[] beginning(int flag, int length, byte... content) {
        return ByteBuffer.allocate(5 + content.length)
                .put((byte) flag)
                .putInt(length)
                .put(content)
                .array();
    }

    public static byte[] reset(int stream, int error) {
        return frame(Frame.Kind.RST_STREAM, 0, stream, number(error));
    }

    public static byte[] goAway(int last, int error) {
        return frame(Frame.Kind.GOAWAY, 0, 0, all(number(last), number(error)));
    }

    public static byte[] ping() {
        return frame(Frame.Kind.PING, 0, 0, new byte[8]);
    }

    public static byte[] padded(int kind, int flags, int stream, byte[] payload, int padding) {
        return frame(kind, flags | 0x8, stream, all(new byte[] {(byte) padding}, payload, new byte[padding]));
    }

    public static byte[] all(byte[]... parts) {
        var whole = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(whole::writeBytes);
        return whole.toByteArray();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }
}
