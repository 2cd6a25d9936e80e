package io.github.etcdgitops.it;

import java.time.Duration;
import java.util.BitSet;

/// Which writes were acknowledged, and the longest time in which none was. Times count from the first
/// one, because what comes before is the client warming up. Safe for many threads.
final class Acknowledged {
    private final BitSet numbers = new BitSet();
    private long start = System.nanoTime();
    private long last = start;
    private long longest;
    private long longestAt;
    private boolean sealed;

    /// What is known when the writing ends.
    record Summary(double perSecond, Duration longestGap, Duration gapAt) {}

    synchronized void add(long number) {
        long now = System.nanoTime();
        if (numbers.isEmpty()) {
            start = now;
            last = now;
        }
        numbers.set(Math.toIntExact(number));
        if (!sealed) {
            note(now);
        }
    }

    /// Later acknowledgements still count as acknowledged; they no longer change the times.
    synchronized Summary seal() {
        long now = System.nanoTime();
        note(now);
        sealed = true;
        return new Summary(
                numbers.cardinality() * 1e9 / Math.max(1, now - start),
                Duration.ofNanos(longest),
                Duration.ofNanos(longestAt));
    }

    synchronized long runningMillis() {
        return (System.nanoTime() - start) / 1_000_000;
    }

    synchronized long count() {
        return numbers.cardinality();
    }

    synchronized BitSet sequences() {
        return (BitSet) numbers.clone();
    }

    private void note(long now) {
        if (now - last > longest) {
            longest = now - last;
            longestAt = last - start;
        }
        last = now;
    }
}
