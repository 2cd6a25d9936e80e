package io.github.etcdgitops.gateway.bounded;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// Reads a server's data up to a limit of bytes and time, whatever the server sends and however slowly.
/// Beyond the bytes it throws [TooMuch], beyond the time [SocketTimeoutException].
public final class BoundedStream extends FilterInputStream {
    private final long most;
    private final long end;
    private long left;

    public BoundedStream(InputStream in, long most, Duration longest) {
        super(in);
        this.most = most;
        this.left = most;
        this.end = System.nanoTime() + longest.toNanos();
    }

    /// The server sends more than the limit.
    public static final class TooMuch extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final long most;

        private TooMuch(long most) {
            super("more than " + most + " bytes");
            this.most = most;
        }

        /// In bytes.
        public long most() {
            return most;
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
            throw new TooMuch(most);
        }
        if (System.nanoTime() - end > 0) {
            throw new SocketTimeoutException("the data does not end");
        }
        return result;
    }
}
