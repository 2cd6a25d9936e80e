package io.github.etcdgitops.it;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The client of every safety trial: writes unique keys over many connections at once, remembers which
/// were acknowledged and when, and reads them all back at the end.
///
/// A write is tried with the same key and value until etcd acknowledges it or it is given up; only
/// acknowledged ones count, and each of those must be found again. Every connection leads to one
/// endpoint, so that a dead one holds up nobody else; a failed try moves on to the next endpoint.
public final class WriteLoad {
    /// With fewer on average, a trial says nothing about stalls. This is one each 25 ms. On a busy machine a ring
    /// acknowledges some hundred.
    public static final int ENOUGH_PER_SECOND = 40;

    private static final int WRITERS = 12;
    private static final int TARGET_PER_SECOND = 300;
    private static final Duration PER_TRY = Duration.ofSeconds(1);
    private static final Duration GIVE_UP = Duration.ofSeconds(60);
    private static final Duration LAST_CHANCE = Duration.ofSeconds(3);
    private static final Duration REFRESH = Duration.ofMillis(500);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(25);
    private static final Duration READ_BACK = Duration.ofSeconds(60);

    private final String prefix = "load/" + UUID.randomUUID() + "/";
    private final Acknowledged acknowledged = new Acknowledged();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong givenUp = new AtomicLong();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Endpoints endpoints;
    private final Supplier<ClientAccess> access;
    private volatile long stoppedAt;
    private final List<Thread> threads = new ArrayList<>();

    /// Writes nothing yet.
    WriteLoad(Supplier<List<String>> endpoints, Supplier<ClientAccess> access) {
        this.endpoints = new Endpoints(endpoints);
        this.access = access;
    }

    /// A time in which nothing was acknowledged, and when it began, from the first write on. For `still`
    /// of it the client itself stood still, and could not have seen an acknowledgement.
    public record Gap(Duration length, Duration at, Duration still) {}

    /// `lost` are acknowledged writes that are gone or differ: it must be empty. `gaps` are the longest,
    /// and the longest of them comes first. `failures` are tries.
    public record Result(long acked, double perSecond, List<Gap> gaps, List<Long> lost, long failures, long givenUp) {
        public Result {
            gaps = List.copyOf(gaps);
            lost = List.copyOf(lost);
        }

        public Duration longestGap() {
            return gaps.getFirst().length();
        }

        public Duration gapAt() {
            return gaps.getFirst().at();
        }

        public boolean tooFew() {
            return perSecond < ENOUGH_PER_SECOND;
        }

        public String toJson() {
            return String.format(
                    Locale.ROOT,
                    "{\"acked\": %d, \"perSecond\": %.1f, \"tooFew\": %b, \"longestGapMillis\": %d, \"gapAtMillis\":"
                            + " %d, \"failures\": %d, \"givenUp\": %d, \"lostCount\": %d, \"lost\": %s}%n",
                    acked,
                    perSecond,
                    tooFew(),
                    longestGap().toMillis(),
                    gapAt().toMillis(),
                    failures,
                    givenUp,
                    lost.size(),
                    lost.stream().limit(100).map(String::valueOf).collect(Collectors.joining(", ", "[", "]")));
        }
    }

    /// `endpoints` gives `HOST:PORT` or URLs, and is asked again all the time, because a pod that comes
    /// back has another address.
    public static WriteLoad start(Supplier<List<String>> endpoints) {
        return start(endpoints, () -> ClientAccess.PLAIN);
    }

    /// `access` is asked all the time as well: whoever comes in the clear goes over to TLS, and back, as
    /// it says.
    public static WriteLoad start(Supplier<List<String>> endpoints, Supplier<ClientAccess> access) {
        var load = new WriteLoad(endpoints, access);
        load.begin();
        return load;
    }

    void begin() {
        threads.add(Thread.ofVirtual().name("endpoints").start(this::refresh));
        IntStream.range(0, WRITERS)
                .forEach(writer ->
                        threads.add(Thread.ofVirtual().name("writer-" + writer).start(() -> write(writer))));
    }

    /// All keys of this load begin with it.
    String prefix() {
        return prefix;
    }

    Endpoints endpoints() {
        return endpoints;
    }

    /// The numbers of all acknowledged writes.
    BitSet sequences() {
        return acknowledged.sequences();
    }

    /// Since when it writes, as `gapAt` counts.
    public long runningMillis() {
        return acknowledged.runningMillis();
    }

    /// How many writes are acknowledged by now: to wait until the load is under way.
    public long acknowledged() {
        return acknowledged.count();
    }

    /// Ends the writing and reads everything back; throws when the ring does not answer for a minute.
    public Result stop() {
        var written = acknowledged.seal();
        stoppedAt = System.nanoTime();
        stopped.countDown();
        threads.forEach(WriteLoad::join);
        var lost = new ReadBack(endpoints, access, prefix, READ_BACK).missing(acknowledged.sequences());
        return new Result(
                acknowledged.count(), written.perSecond(), written.gaps(), lost, failures.get(), givenUp.get());
    }

    private void refresh() {
        while (!stoppedWithin(REFRESH)) {
            endpoints.refresh();
        }
    }

    private void write(int writer) {
        long interval = TimeUnit.SECONDS.toNanos(1) * WRITERS / TARGET_PER_SECOND;
        long next = System.nanoTime() + interval * writer / WRITERS;
        try (var connection = new Connection(endpoints, access, writer)) {
            while (!stoppedWithin(Duration.ofNanos(Math.max(0, next - System.nanoTime())))) {
                writeOne(connection, sequence.getAndIncrement());
                // A short hold-up is made good, so that the average stays; a long one is not.
                next = Math.max(next + interval, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
            }
        }
    }

    private void writeOne(Connection connection, long number) {
        var key = bytes(key(prefix, number));
        var value = bytes(Long.toString(number));
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < GIVE_UP.toNanos() && !tooLate()) {
            if (connection.put(key, value, PER_TRY)) {
                acknowledged.add(number);
                return;
            }
            failures.incrementAndGet();
            LockSupport.parkNanos(AFTER_FAILURE.toNanos());
        }
        givenUp.incrementAndGet();
    }

    private boolean tooLate() {
        return stopped.getCount() == 0 && System.nanoTime() - stoppedAt > LAST_CHANCE.toNanos();
    }

    private boolean stoppedWithin(Duration time) {
        try {
            return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the load ends", e);
        }
    }

    /// Padded, so that the order of the keys is the order of the numbers.
    static String key(String prefix, long number) {
        return prefix + String.format(Locale.ROOT, "%012d", number);
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.US_ASCII);
    }

    /// See [WriteLoadCommand].
    public static void main(String[] args) throws Exception {
        System.exit(WriteLoadCommand.run(List.of(args)));
    }
}
