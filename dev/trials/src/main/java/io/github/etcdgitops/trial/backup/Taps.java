package io.github.etcdgitops.trial.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.Relay.Direction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// What trials do to connections that pass a relay.
final class Taps {
    private Taps() {}

    /// Lets so many bytes a second of each connection to the server, until it is told to hurry.
    static final class Slow implements Relay.Tap {
        private final long bytesPerSecond;
        private volatile boolean hurried;

        Slow(long bytesPerSecond) {
            this.bytesPerSecond = bytesPerSecond;
        }

        void hurry() {
            hurried = true;
        }

        @Override
        public int allowed(Object connection, Direction direction, byte[] bytes, int count) {
            if (direction == Direction.TO_SERVER && !hurried) {
                LockSupport.parkNanos(count * 1_000_000_000L / bytesPerSecond);
            }
            return count;
        }
    }

    /// Holds back every object that is put, for ever; what else is asked gets its answer.
    static Relay.Tap silent() {
        var never = new CountDownLatch(1);
        return (_, direction, bytes, count) -> {
            if (direction == Direction.TO_SERVER && begins(bytes, count, "PUT ")) {
                try {
                    never.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
            return count;
        };
    }

    static boolean begins(byte[] bytes, int count, String word) {
        return count > word.length() && new String(bytes, 0, word.length(), US_ASCII).equals(word);
    }

    /// Ends the one connection that has carried so many bytes to the client, and lets all others be.
    static final class LongestConnection implements Relay.Tap {
        private final Map<Object, Long> carried = new ConcurrentHashMap<>();
        private volatile long cutAt = Long.MAX_VALUE;

        /// Counted from now on, for new connections.
        void cutAt(long bytes) {
            carried.clear();
            cutAt = bytes;
        }

        long longest() {
            return carried.values().stream().mapToLong(Long::longValue).max().orElse(0);
        }

        @Override
        public int allowed(Object connection, Direction direction, byte[] bytes, int count) {
            if (direction == Direction.TO_SERVER) {
                return count;
            }
            long now = carried.merge(connection, (long) count, Long::sum);
            return (int) Math.max(0, Math.min(count, count - (now - cutAt)));
        }
    }

    /// Counts snapshots that are put at the same time, from the head of the request to that of the answer. Each is held
    /// back for a while, so that those that could overlap do.
    static final class Uploads implements Relay.Tap {
        private final long holdNanos;
        private final Map<Object, Boolean> underWay = new ConcurrentHashMap<>();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger all = new AtomicInteger();

        Uploads(long holdMillis) {
            holdNanos = holdMillis * 1_000_000;
        }

        /// Since it was last asked.
        int most() {
            return most.getAndSet(0);
        }

        int all() {
            return all.getAndSet(0);
        }

        @Override
        public int allowed(Object connection, Direction direction, byte[] bytes, int count) {
            if (direction == Direction.TO_SERVER
                    && begins(bytes, count, "PUT ")
                    && head(bytes, count).contains("/" + BackupPlace.SNAPSHOT)) {
                underWay.put(connection, true);
                most.accumulateAndGet(underWay.size(), Math::max);
                all.incrementAndGet();
                LockSupport.parkNanos(holdNanos);
            } else if (direction == Direction.TO_CLIENT && !begins(bytes, count, "HTTP/1.1 100")) {
                underWay.remove(connection);
            }
            return count;
        }

        private static String head(byte[] bytes, int count) {
            return new String(bytes, 0, count, US_ASCII).lines().findFirst().orElse("");
        }
    }
}
