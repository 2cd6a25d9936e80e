package io.github.etcdgitops.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Counts a stream's bytes, keeps the Lease alive meanwhile, and slows down what would be faster than it may.
final class Meter {
    private static final Duration SHORTEST = Duration.ofMillis(20);

    private final StepContext context;
    private final Optional<Long> bytesPerSecond;
    private final LongConsumer told;
    private final Instant began;
    private long bytes;

    Meter(StepContext context, Optional<Long> bytesPerSecond, LongConsumer told) {
        this.context = context;
        this.bytesPerSecond = bytesPerSecond;
        this.told = told;
        this.began = context.now();
    }

    void moved(long piece) {
        bytes += piece;
        context.keepLease();
        told.accept(bytes);
        bytesPerSecond.ifPresent(this::slowDown);
    }

    private void slowDown(long most) {
        var earliest = began.plusNanos((long) (bytes / (double) most * 1_000_000_000L));
        var ahead = Duration.between(context.now(), earliest);
        if (ahead.compareTo(SHORTEST) > 0) {
            context.pass(ahead);
        }
    }
}
