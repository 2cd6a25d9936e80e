package io.github.etcdgitops.gateway.store.codec;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;

/// zstd with its checksum over the content.
final class Zstandard {
    /// Higher levels shrink snapshots little and take much longer: docs/backup-stores.md has the
    /// measurements.
    static final int LEVEL = 1;

    /// As a power of two, in bytes. We write 2^19; a stream decides how much memory its reader needs,
    /// outside the heap.
    private static final int LARGEST_WINDOW = 23;

    private Zstandard() {}

    static OutputStream compressing(OutputStream sink) {
        try {
            var out = new ZstdOutputStreamNoFinalizer(sink, RecyclingBufferPool.INSTANCE, LEVEL);
            out.setChecksum(true);
            return out;
        } catch (IOException e) {
            throw new UncheckedIOException("a compressor without input", e);
        }
    }

    /// An empty stream would look like an empty compressed one.
    static InputStream decompressing(InputStream source) throws IOException {
        var pushback = new PushbackInputStream(source);
        int first = pushback.read();
        if (first < 0) {
            throw Damage.of("it is empty");
        }
        pushback.unread(first);
        return new Damage(
                new ZstdInputStreamNoFinalizer(pushback, RecyclingBufferPool.INSTANCE).setLongMax(LARGEST_WINDOW),
                "it is not zstd, or is damaged or truncated");
    }
}
