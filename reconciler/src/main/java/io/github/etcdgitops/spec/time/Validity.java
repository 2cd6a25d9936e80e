package io.github.etcdgitops.spec.time;

import java.time.Duration;
import java.time.Instant;

/// From when to when a certificate is good.
public record Validity(Instant begin, Instant end) {
    /// Of a certificate that nobody has looked at.
    public static final Validity UNKNOWN = new Validity(Instant.MIN, Instant.MAX);

    public boolean known() {
        return !equals(UNKNOWN);
    }

    /// When it is to be replaced: a third of its time is left.
    public Instant renewal() {
        return leaving(3);
    }

    /// When it should have been replaced long ago: a tenth of its time is left.
    public Instant last() {
        return leaving(10);
    }

    private Instant leaving(int part) {
        return end.minus(Duration.between(begin, end).dividedBy(part));
    }
}
