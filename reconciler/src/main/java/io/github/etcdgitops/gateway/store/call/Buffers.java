package io.github.etcdgitops.gateway.store.call;

import java.util.ArrayDeque;
import java.util.Deque;

/// The buffers of one upload: never more than a few, used again and again. Whoever fills the next waits
/// until the store has taken an earlier one, and that is what slows a fast source down to the store's pace.
public final class Buffers {
    private final int most;
    private final Deque<byte[]> spare = new ArrayDeque<>();
    private int out;
    private int peak;

    public Buffers(int most) {
        this.most = most;
    }

    /// Waits for one to be given back where all are out.
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

    /// How many there ever were at once.
    public synchronized int peak() {
        return peak;
    }
}
