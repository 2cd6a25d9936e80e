package io.github.etcdgitops.it;

import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Which writes were acknowledged, and the longest times in which none was. Times count from the first
/// one, because what comes before is the client warming up. Safe for many threads.
final class Acknowledged {
    private static final int GAPS = 8;

    private final BitSet numbers = new BitSet();
    private long start = System.nanoTime();
    private long last = start;
    /// The shortest of the longest is the first.
    private final PriorityQueue<Silence> gaps = new PriorityQueue<>(Comparator.comparing(Silence::length));

    private final Standstill standstill = new Standstill();
    private boolean sealed;

    private record Silence(long from, long to) {
        long length() {
            return to - from;
        }
    }

    /// What is known when the writing ends. The longest gap comes first.
    record Summary(double perSecond, List<WriteLoad.Gap> gaps) {}

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
        standstill.close();
        return new Summary(
                numbers.cardinality() * 1e9 / Math.max(1, now - start),
                gaps.stream()
                        .sorted(Comparator.comparing(Silence::length).reversed())
                        .map(this::gap)
                        .toList());
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

    private WriteLoad.Gap gap(Silence silence) {
        return new WriteLoad.Gap(
                Duration.ofNanos(silence.length()),
                Duration.ofNanos(silence.from() - start),
                standstill.between(silence.from(), silence.to()));
    }

    private void note(long now) {
        gaps.add(new Silence(last, now));
        if (gaps.size() > GAPS) {
            gaps.remove();
        }
        last = now;
    }
}
