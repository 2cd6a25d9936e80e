package io.github.etcdgitops.execute.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Waits for a condition, with a deadline, and keeps the Lease alive during the wait.
public final class Poller {
    /// Most conditions hold within moments, and the rest take long. Each check asks the API server for
    /// every object of the ring and every member for its state, while one of the members is starting.
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /// A missing condition is reported once it has been missing this long, and whenever it changes, not
    /// more often.
    private static final Duration TELLS_EVERY = Duration.ofSeconds(5);

    private final Timepiece clock;
    private final Pause pause;
    private final ClusterLease lease;
    private final Consumer<String> told;

    public Poller(Timepiece clock, Pause pause, ClusterLease lease, Consumer<String> told) {
        this.clock = clock;
        this.pause = pause;
        this.lease = lease;
        this.told = told;
    }

    public Instant now() {
        return clock.instant();
    }

    public void pass(Duration duration) {
        pause.pass(duration);
    }

    /// Asks `missing` until it is empty, and returns the last answer when the deadline passes first.
    /// Asks at least once.
    public Optional<String> await(Duration deadline, Supplier<Optional<String>> missing) {
        long began = clock.nanos();
        var interval = FIRST;
        long next = began + TELLS_EVERY.toNanos();
        String last = "";
        while (true) {
            lease.keep();
            var still = missing.get();
            if (still.isEmpty() || clock.nanos() - began >= deadline.toNanos()) {
                return still;
            }
            if (clock.nanos() >= next && !still.get().equals(last)) {
                last = still.get();
                told.accept(last);
                next = clock.nanos() + TELLS_EVERY.toNanos();
            }
            pause.pass(interval);
            interval = interval.compareTo(INTERVAL.dividedBy(2)) < 0 ? interval.multipliedBy(2) : INTERVAL;
        }
    }

    /// Lets time pass without a condition: only to outlast calls of an earlier run that cannot be fenced.
    public void outlast(Duration duration) {
        long began = clock.nanos();
        while (clock.nanos() - began < duration.toNanos()) {
            lease.keep();
            pause.pass(INTERVAL);
        }
    }
}
