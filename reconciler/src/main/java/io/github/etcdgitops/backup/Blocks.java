package io.github.etcdgitops.backup;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Collects pieces of any size into blocks: hashing and writing a few large blocks costs less than many
/// small ones.
public final class Blocks {
    private final byte[] block = new byte[256 << 10];
    private final Sink sink;
    private int filled;

    public Blocks(Sink sink) {
        this.sink = sink;
    }

    /// Receives the first `length` bytes. The array is reused afterwards.
    @FunctionalInterface
    public interface Sink {
        void take(byte[] bytes, int length) throws IOException;
    }

    /// Keeps no reference to the piece.
    public void add(ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            int size = Math.min(piece.remaining(), block.length - filled);
            piece.get(block, filled, size);
            filled += size;
            if (filled == block.length) {
                finish();
            }
        }
    }

    /// Passes on what was collected since the last whole block.
    public void finish() throws IOException {
        if (filled > 0) {
            sink.take(block, filled);
        }
        filled = 0;
    }
}
