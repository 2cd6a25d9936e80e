package io.github.etcdgitops.gateway.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// An answer that is read whole, whatever the server sends and however slowly.
final class BoundedAnswer extends FilterInputStream {
    private final long end;
    private long left;

    BoundedAnswer(InputStream in, long most, Duration longest) {
        super(in);
        this.left = most;
        this.end = System.nanoTime() + longest.toNanos();
    }

    /// It has more bytes than that.
    static final class TooLong extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private TooLong() {
            super("the answer is too long");
        }
    }

    @Override
    public int read() throws IOException {
        return counted(super.read(), 1);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        return counted(count, count);
    }

    private int counted(int result, int count) throws IOException {
        if (result >= 0) {
            left -= count;
        }
        if (left < 0) {
            throw new TooLong();
        }
        if (System.nanoTime() - end > 0) {
            throw new SocketTimeoutException("the answer does not end");
        }
        return result;
    }
}
