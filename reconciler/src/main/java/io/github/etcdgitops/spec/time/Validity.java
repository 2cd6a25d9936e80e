package io.github.etcdgitops.spec.time;

import java.time.Duration;
import java.time.Instant;

/// The validity period of a certificate.
public record Validity(Instant begin, Instant end) {
    /// For a certificate that was not inspected.
    public static final Validity UNKNOWN = new Validity(Instant.MIN, Instant.MAX);

    public boolean known() {
        return !equals(UNKNOWN);
    }

    /// When it must be renewed: a third of its lifetime is left.
    public Instant renewal() {
        return leaving(3);
    }

    /// When it is far overdue: a tenth of its lifetime is left.
    public Instant last() {
        return leaving(10);
    }

    private Instant leaving(int part) {
        return end.minus(Duration.between(begin, end).dividedBy(part));
    }
}
