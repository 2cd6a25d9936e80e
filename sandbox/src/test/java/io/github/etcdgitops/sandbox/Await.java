package io.github.etcdgitops.sandbox;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Waiting for a condition that nobody announces.
public final class Await {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private Await() {}

    /// Until it is so, or the time is up.
    public static void until(String what, Duration atMost, Callable<Boolean> condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + atMost.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    private static boolean holds(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("the condition could not be looked at", e);
        }
    }
}
