package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Frames as they arrive on a wire. Holds one of them at a time, and refuses one that is larger than we
/// allow.
final class Incoming {
    /// Frames other than those with data: an answer needs a handful. What we send in return for so many
    /// still fits into the kernel's buffers, so that no write has to wait for a server that does not read.
    private static final int MOST_WITHOUT_DATA = 500;

    private final Wire wire;
    private final byte[] bytes = new byte[Frame.HEAD + Frame.LARGEST];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes).limit(0);
    private int withoutData;

    Incoming(Wire wire) {
        this.wire = wire;
    }

    /// Whether the next frame is here already.
    boolean ready() {
        return buffer.remaining() >= Frame.HEAD && buffer.remaining() >= Frame.HEAD + length();
    }

    /// Throws EOFException at the end of the connection.
    Frame next(Deadline deadline) throws IOException {
        while (!ready()) {
            fill(deadline);
            if (buffer.remaining() >= Integer.BYTES && length() > Frame.LARGEST) {
                throw Statuses.malformed("a frame is larger than allowed, or this is not HTTP/2");
            }
        }
        int length = length();
        int start = buffer.position();
        var kind = Frame.Kind.of(bytes[start + 3] & 0xff);
        int flags = bytes[start + 4] & 0xff;
        int stream = buffer.getInt(start + 5) & Integer.MAX_VALUE;
        var payload = buffer.slice(start + Frame.HEAD, length);
        buffer.position(start + Frame.HEAD + length);
        if (kind != Frame.Kind.DATA || length == 0) {
            withoutData++;
        }
        if (withoutData > MOST_WITHOUT_DATA) {
            throw Statuses.malformed("there are frames without end");
        }
        return new Frame(kind, flags, stream, payload);
    }

    private int length() {
        return buffer.getInt(buffer.position()) >>> 8;
    }

    private void fill(Deadline deadline) throws IOException {
        buffer.compact();
        int count;
        try {
            count = wire.read(bytes, buffer.position(), buffer.remaining(), deadline);
        } finally {
            buffer.flip();
        }
        if (count < 0) {
            throw new EOFException("the connection was closed");
        }
        buffer.limit(buffer.limit() + count);
    }
}
