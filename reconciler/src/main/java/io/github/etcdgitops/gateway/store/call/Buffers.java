package io.github.etcdgitops.gateway.store.call;

import java.util.ArrayDeque;
import java.util.Deque;

/// The buffers of one upload: only a few, reused. Filling the next one waits until the store has taken an
/// earlier one, which slows a fast source down to the store's speed.
public final class Buffers {
    private final int most;
    private final Deque<byte[]> spare = new ArrayDeque<>();
    private int out;
    private int peak;

    public Buffers(int most) {
        this.most = most;
    }

    /// Waits for a free buffer where all are in use.
    public synchronized byte[] take(int size) throws InterruptedException {
        while (out == most) {
            wait();
        }
        out++;
        byte[] buffer = reused(size);
        peak = Math.max(peak, out + spare.size());
        return buffer;
    }

    private byte[] reused(int size) {
        while (!spare.isEmpty()) {
            byte[] buffer = spare.pop();
            if (buffer.length == size) {
                return buffer;
            }
        }
        return new byte[size];
    }

    public synchronized void give(byte[] buffer) {
        out--;
        spare.push(buffer);
        notifyAll();
    }

    /// The largest number in use at once.
    public synchronized int peak() {
        return peak;
    }
}
