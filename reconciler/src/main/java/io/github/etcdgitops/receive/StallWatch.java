package io.github.etcdgitops.receive;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends a connection when one write takes too long: a blocked write has no time limit of its own.
final class StallWatch implements AutoCloseable {
    /// Increased at the start of a write and at its end, so an odd number is a write under way.
    private final AtomicLong turns = new AtomicLong();

    private final CountDownLatch over = new CountDownLatch(1);
    private final Socket socket;
    private final Duration stall;
    private volatile boolean stalled;

    @FunctionalInterface
    interface Write {
        void run() throws IOException;
    }

    StallWatch(Duration stall, Socket socket) {
        this.stall = stall;
        this.socket = socket;
        Thread.ofVirtual().name("stall watch").start(this::watch);
    }

    void around(Write write) throws IOException {
        turns.incrementAndGet();
        write.run();
        turns.incrementAndGet();
    }

    boolean stalled() {
        return stalled;
    }

    private void watch() {
        long seen = turns.get();
        try {
            while (!over.await(stall.toMillis(), TimeUnit.MILLISECONDS)) {
                long now = turns.get();
                if (now == seen && now % 2 == 1) {
                    stalled = true;
                    socket.close();
                    return;
                }
                seen = now;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // It is closed as far as possible.
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}
