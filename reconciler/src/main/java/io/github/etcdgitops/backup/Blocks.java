package io.github.etcdgitops.backup;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Gathers pieces of any size into blocks: to hash and to write few large portions costs less than many small ones.
public final class Blocks {
    private final byte[] block = new byte[256 << 10];
    private final Sink sink;
    private int filled;

    public Blocks(Sink sink) {
        this.sink = sink;
    }

    /// Takes the first `length` bytes. The array is used again afterwards.
    @FunctionalInterface
    public interface Sink {
        void take(byte[] bytes, int length) throws IOException;
    }

    /// Nothing of the piece remains.
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

    /// Passes on what was gathered since the last whole block.
    public void finish() throws IOException {
        if (filled > 0) {
            sink.take(block, filled);
        }
        filled = 0;
    }
}
