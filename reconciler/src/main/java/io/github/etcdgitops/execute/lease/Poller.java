package io.github.etcdgitops.execute.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Waits for a condition, with a deadline, and keeps the Lease alive during the wait.
public final class Poller {
    /// Most conditions hold within moments, and the rest take long. Each check asks the API server for
    /// every object of the ring and every member for its state, while one of the members is starting. So a
    /// pause is several times as long as the check before it, and grows with the whole wait. The Lease is
    /// renewed between two pauses: the longest one is short beside it.
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int CHECKS = 4;
    private static final int SHARE = 20;

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
        var pausing = FIRST;
        long next = began + TELLS_EVERY.toNanos();
        String last = "";
        while (true) {
            lease.keep();
            long asked = clock.nanos();
            var still = missing.get();
            long waited = clock.nanos() - began;
            var longest = longest(clock.nanos() - asked, waited);
            if (still.isEmpty() || waited >= deadline.toNanos()) {
                return still;
            }
            if (clock.nanos() >= next && !still.get().equals(last)) {
                last = still.get();
                told.accept(last);
                next = clock.nanos() + TELLS_EVERY.toNanos();
            }
            pause.pass(pausing);
            pausing = between(FIRST, pausing.multipliedBy(2), longest);
        }
    }

    private static Duration longest(long checked, long waited) {
        var afterCheck = between(SHORT, Duration.ofNanos(CHECKS * checked), LONG);
        return between(afterCheck, Duration.ofNanos(waited / SHARE), LONGEST);
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
        var enough = wanted.compareTo(least) < 0 ? least : wanted;
        return enough.compareTo(most) < 0 ? enough : most;
    }

    /// Lets time pass without a condition: only to outlast calls of an earlier run that cannot be fenced.
    public void outlast(Duration duration) {
        long began = clock.nanos();
        while (clock.nanos() - began < duration.toNanos()) {
            lease.keep();
            pause.pass(LONG);
        }
    }
}
