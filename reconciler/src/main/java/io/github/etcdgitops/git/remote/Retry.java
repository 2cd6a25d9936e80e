package io.github.etcdgitops.git.remote;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// How often and how long to try again. Pauses are random between `least` and a limit that doubles up to
/// `most`: otherwise, writers that collided once would collide again.
public record Retry(
        int tries,
        Duration limit,
        Duration least,
        Duration most,
        RandomGenerator random,
        LongSupplier nanos,
        Sleeper sleeper) {
    public static Retry standard(Sleeper sleeper) {
        return new Retry(
                8,
                Duration.ofSeconds(30),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                RandomGenerator.getDefault(),
                System::nanoTime,
                sleeper);
    }

    public Tries begin() {
        return new Tries(nanos.getAsLong());
    }

    /// One series of attempts.
    public final class Tries {
        private final long started;
        private int done = 1;

        private Tries(long started) {
            this.started = started;
        }

        public int done() {
            return done;
        }

        /// Waits, and says whether there is another attempt.
        public boolean again() throws InterruptedException {
            Duration pause = pause();
            Duration spent = Duration.ofNanos(nanos.getAsLong() - started);
            if (done >= tries || spent.plus(pause).compareTo(limit) > 0) {
                return false;
            }
            sleeper.sleep(pause);
            done++;
            return true;
        }

        private Duration pause() {
            long bound = Math.min(most.toNanos(), least.toNanos() << Math.min(done, 20));
            return Duration.ofNanos(random.nextLong(least.toNanos(), Math.max(bound, least.toNanos() + 1)));
        }
    }
}
