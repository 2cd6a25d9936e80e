package io.github.etcdgitops.gateway.store.call;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;

/// An object being read. A connection that ends early looks like the end of the object to many clients, so
/// the bytes are counted; and every failure has our own message.
public final class StoredStream extends FilterInputStream {
    private final Call call;
    private final long expected;
    private final Runnable abort;
    private final Function<IOException, String> words;
    private long seen;
    private boolean ended;

    /// `abort` closes the connection where the reader does not want the rest; reading it could take hours.
    public StoredStream(InputStream in, Call call, long expected, Runnable abort, Function<IOException, String> words) {
        super(in);
        this.call = call;
        this.expected = expected;
        this.abort = abort;
        this.words = words;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count;
        try {
            count = super.read(bytes, offset, length);
        } catch (IOException e) {
            throw Call.inStream(call.lost(words.apply(e) + " after " + seen + " of " + expected + " bytes"));
        }
        if (count > 0) {
            seen += count;
        }
        if (count < 0 && seen != expected) {
            throw Call.inStream(call.lost("it ended after " + seen + " of " + expected + " bytes"));
        }
        ended |= count < 0;
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        return readNBytes((int) Math.min(count, 8192)).length;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        if (ended) {
            super.close();
        } else {
            abort.run();
        }
    }
}
