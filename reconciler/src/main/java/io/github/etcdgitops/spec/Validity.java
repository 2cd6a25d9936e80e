package io.github.etcdgitops.spec;

import java.time.Duration;
import java.time.Instant;

/// From when to when a certificate is good.
public record Validity(Instant begin, Instant end) {
    /// When it is to be replaced: a third of its time is left.
    public Instant renewal() {
        return end.minus(Duration.between(begin, end).dividedBy(3));
    }
}
