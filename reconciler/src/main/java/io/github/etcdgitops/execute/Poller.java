package io.github.etcdgitops.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/// Waits for a condition, with a deadline, keeping the Lease alive meanwhile.
final class Poller {
    /// Most of what is waited for is there within moments, and the rest takes long. Each look asks the
    /// API server for every object of the ring and every member for its state, while one of them comes
    /// back.
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Timepiece clock;
    private final Pause pause;
    private final ClusterLease lease;

    Poller(Timepiece clock, Pause pause, ClusterLease lease) {
        this.clock = clock;
        this.pause = pause;
        this.lease = lease;
    }

    Instant now() {
        return clock.instant();
    }

    void pass(Duration duration) {
        pause.pass(duration);
    }

    /// Asks `missing` until it is empty, and returns the last answer when the deadline passes first.
    /// Asks at least once.
    Optional<String> await(Duration deadline, Supplier<Optional<String>> missing) {
        long began = clock.nanos();
        var interval = FIRST;
        while (true) {
            lease.keep();
            var still = missing.get();
            if (still.isEmpty() || clock.nanos() - began >= deadline.toNanos()) {
                return still;
            }
            pause.pass(interval);
            interval = interval.compareTo(INTERVAL.dividedBy(2)) < 0 ? interval.multipliedBy(2) : INTERVAL;
        }
    }

    /// Lets time pass for its own sake: only to outlast calls of an earlier run that cannot be fenced.
    void outlast(Duration duration) {
        long began = clock.nanos();
        while (clock.nanos() - began < duration.toNanos()) {
            lease.keep();
            pause.pass(INTERVAL);
        }
    }
}
