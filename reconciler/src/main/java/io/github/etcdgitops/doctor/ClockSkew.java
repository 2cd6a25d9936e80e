package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.ClusterFacts.Clock;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The least possible difference between the server's clock and ours: the server's time is in whole seconds
/// and was written at some time between two readings of our clock. A difference that this uncertainty can
/// explain counts as none.
public final class ClockSkew {
    private static final String NAME = "clock";
    private static final Duration RESOLUTION = Duration.ofSeconds(1);
    private static final Duration WARN = Duration.ofSeconds(2);
    private static final Duration FAIL = Duration.ofSeconds(30);

    private ClockSkew() {}

    static Check check(Clock clock) {
        return clock.server()
                .map(server -> judge(atLeast(clock.sent(), server, clock.received())))
                .orElseGet(() -> new Check.Skipped(NAME, "the API server sent no date"));
    }

    /// Positive when the server is ahead.
    static Duration atLeast(Instant sent, Instant server, Instant received) {
        if (server.isAfter(received)) {
            return Duration.between(received, server);
        }
        Instant latest = server.plus(RESOLUTION);
        return latest.isBefore(sent) ? Duration.between(sent, latest) : Duration.ZERO;
    }

    private static Check judge(Duration skew) {
        Duration size = skew.abs();
        if (size.compareTo(WARN) <= 0) {
            return new Check.Ok(NAME, "within " + WARN.toSeconds() + " s of the API server's");
        }
        String seen = "the API server's is at least " + size.toSeconds() + " s "
                + (skew.isPositive() ? "ahead of ours" : "behind ours");
        var remedy = List.of("set both by NTP: a run holds its Leases by its own clock");
        return size.compareTo(FAIL) <= 0
                ? new Check.Warning(NAME, seen, remedy)
                : new Check.Failed(NAME, Trouble.CONFIGURATION, seen, remedy);
    }
}
