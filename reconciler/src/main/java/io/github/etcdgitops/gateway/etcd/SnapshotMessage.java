package io.github.etcdgitops.gateway.etcd;

import io.grpc.HasByteBuffer;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// One message of a snapshot, still in its receive buffers. Of its fields (a header, the remaining bytes,
/// the blob, the version) only the blob is read, and passed on in place: as a protobuf message it would be
/// copied twice.
///
/// It holds memory outside the heap until it is closed. For one thread.
final class SnapshotMessage implements AutoCloseable {
    private static final int BLOB = 3;

    /// The protobuf wire types in use.
    private static final int VARINT = 0;

    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;

    private static final int LARGEST_COPY = 64 << 10;

    private final InputStream content;
    private long leftOfBlob;
    private int handedOut;

    SnapshotMessage(InputStream content) {
        this.content = content;
    }

    /// The next stretch of the blob, valid until the next call; empty at the end. Throws a
    /// StatusRuntimeException when the message is invalid.
    Optional<ByteBuffer> next() {
        try {
            content.skipNBytes(handedOut);
            handedOut = 0;
            return leftOfBlob > 0 || seekBlob() ? Optional.of(stretch()) : Optional.empty();
        } catch (IOException _) {
            throw malformed();
        }
    }

    @Override
    public void close() {
        try {
            content.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean seekBlob() throws IOException {
        for (int first = content.read(); first >= 0; first = content.read()) {
            long tag = varint(first);
            if (tag != (BLOB << 3 | LENGTH_DELIMITED)) {
                skip((int) tag & 7);
                continue;
            }
            leftOfBlob = length();
            if (leftOfBlob > 0) {
                return true;
            }
        }
        return false;
    }

    private ByteBuffer stretch() throws IOException {
        var lying = content instanceof HasByteBuffer buffers && buffers.byteBufferSupported()
                ? buffers.getByteBuffer()
                : null;
        if (lying == null) {
            return copied();
        }
        int size = (int) Math.min(leftOfBlob, lying.remaining());
        if (size == 0) {
            throw malformed();
        }
        leftOfBlob -= size;
        handedOut = size;
        return lying.slice(lying.position(), size).asReadOnlyBuffer();
    }

    /// Only where gRPC has no buffer of its own, after decompression for example.
    private ByteBuffer copied() throws IOException {
        byte[] bytes = content.readNBytes((int) Math.min(leftOfBlob, LARGEST_COPY));
        if (bytes.length == 0) {
            throw malformed();
        }
        leftOfBlob -= bytes.length;
        return ByteBuffer.wrap(bytes);
    }

    private void skip(int wireType) throws IOException {
        if (wireType == VARINT) {
            varint(content.read());
        } else if (wireType == FIXED64) {
            content.skipNBytes(Long.BYTES);
        } else if (wireType == LENGTH_DELIMITED) {
            content.skipNBytes(length());
        } else if (wireType == FIXED32) {
            content.skipNBytes(Integer.BYTES);
        } else {
            throw malformed();
        }
    }

    private long length() throws IOException {
        long length = varint(content.read());
        if (length < 0) {
            throw malformed();
        }
        return length;
    }

    private long varint(int first) throws IOException {
        long value = 0;
        int next = first;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (next < 0) {
                throw malformed();
            }
            value |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return value;
            }
            next = content.read();
        }
        throw malformed();
    }

    private static RuntimeException malformed() {
        return Status.DATA_LOSS.asRuntimeException();
    }
}
