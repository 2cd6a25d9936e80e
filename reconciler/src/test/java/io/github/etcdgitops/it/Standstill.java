package io.github.etcdgitops.it;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;

/// When this process itself stood still: a thread that wakes up every few milliseconds notes where it
/// came late. What is measured from here in such a time says nothing about anybody else.
final class Standstill implements AutoCloseable {
    private static final long PERIOD = Duration.ofMillis(5).toNanos();

    /// Below this a thread that shares its processors is merely waiting for its turn.
    private static final long NOTED = Duration.ofMillis(20).toNanos();

    private static final int KEPT = 1000;

    private record Spell(long from, long to) {}

    private final ArrayDeque<Spell> spells = new ArrayDeque<>();
    private final Thread thread;
    private volatile boolean closed;

    Standstill() {
        long began = System.nanoTime();
        thread = Thread.ofPlatform().daemon().name("standstill").start(() -> watch(began));
    }

    /// `began` is when the thread was asked for: the process may stand still before it runs.
    private void watch(long began) {
        long due = began + PERIOD;
        while (!closed) {
            LockSupport.parkNanos(PERIOD);
            long now = System.nanoTime();
            if (now - due > NOTED) {
                add(new Spell(due, now));
            }
            due = now + PERIOD;
        }
    }

    private synchronized void add(Spell spell) {
        spells.add(spell);
        if (spells.size() > KEPT) {
            spells.remove();
        }
    }

    /// How much of the time between two readings of [System#nanoTime] this process stood still.
    synchronized Duration between(long from, long to) {
        return Duration.ofNanos(spells.stream()
                .mapToLong(s -> Math.max(0, Math.min(to, s.to()) - Math.max(from, s.from())))
                .sum());
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
