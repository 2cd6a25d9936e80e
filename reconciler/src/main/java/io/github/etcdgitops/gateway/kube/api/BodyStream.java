package io.github.etcdgitops.gateway.kube.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The body of an answer as a stream. It requests the next piece when the previous one is read, so it holds
/// at most one, however long the body is. For one thread.
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final BlockingQueue<Piece> arrived = new LinkedBlockingQueue<>();
    private final Deque<ByteBuffer> current = new ArrayDeque<>();
    private final Duration stall;
    private final long end;
    private @Nullable AsyncBody body;
    private boolean over;

    private sealed interface Piece {
        record Bytes(List<ByteBuffer> buffers) implements Piece {}

        record End() implements Piece {}

        record Broken(Throwable why) implements Piece {}
    }

    /// Stops when nothing arrives for `stall`, and after `longest` in any case.
    BodyStream(Duration stall, Duration longest) {
        this.stall = stall;
        this.end = System.nanoTime() + longest.toNanos();
    }

    /// Reads this body, once the answer's head has arrived.
    void follow(AsyncBody followed) {
        body = followed;
        var _ = followed.done()
                .whenComplete((_, error) -> arrived.add(error == null ? new Piece.End() : new Piece.Broken(error)));
    }

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody of) {
        arrived.add(new Piece.Bytes(buffers));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (current.isEmpty()) {
            if (over || !next()) {
                over = true;
                return -1;
            }
        }
        ByteBuffer buffer = current.getFirst();
        int read = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, read);
        if (!buffer.hasRemaining()) {
            current.removeFirst();
        }
        return read;
    }

    private boolean next() throws IOException {
        AsyncBody known = body;
        if (known == null) {
            return false;
        }
        known.consume();
        return switch (taken()) {
            case Piece.End _ -> false;
            case Piece.Broken(Throwable why) -> throw new IOException("the connection broke", Errors.root(why));
            case Piece.Bytes(List<ByteBuffer> buffers) -> {
                buffers.stream().filter(ByteBuffer::hasRemaining).forEach(current::add);
                yield true;
            }
        };
    }

    private Piece taken() throws IOException {
        long patience = Math.min(stall.toNanos(), end - System.nanoTime());
        try {
            Piece piece = arrived.poll(patience, TimeUnit.NANOSECONDS);
            if (piece == null) {
                throw new StalledException();
            }
            return piece;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /// Does not wait for the unread rest.
    @Override
    public void close() {
        AsyncBody known = body;
        if (known != null && !over) {
            known.cancel();
        }
        over = true;
    }

    /// Nothing more arrived in time.
    static final class StalledException extends IOException {
        private static final long serialVersionUID = 1;
    }
}
