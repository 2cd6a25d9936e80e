package io.github.etcdgitops.trial.watch;

import io.github.etcdgitops.trial.bench.Members;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Looks four times a second whether a ring has all the voters that it should have, each of them well and of the
/// version asked for, and no alarm.
public final class ToleranceWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 250;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Members members;
    private final int size;
    private final String version;
    private volatile boolean full;
    private volatile long since = System.nanoTime();

    public ToleranceWatch(Members members, int size, String version) {
        this.members = members;
        this.size = size;
        this.version = version;
        clock.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        boolean now = isWhole();
        if (now && !full) {
            since = System.nanoTime();
        }
        full = now;
    }

    private boolean isWhole() {
        try {
            var versions = members.versions();
            return members.voters().size() == size
                    && members.serving() == size
                    && versions.size() == size
                    && versions.stream().allMatch(version::equals)
                    && !members.isAlarmed();
        } catch (RuntimeException _) {
            // A ring that nobody can ask is not whole.
            return false;
        }
    }

    public boolean isFull() {
        return full;
    }

    /// By `System.nanoTime()`.
    public long fullSince() {
        return since;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
