package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.RolloutSlot;
import io.github.etcdgitops.pipeline.environment.LikeCaller;
import io.github.etcdgitops.pipeline.environment.Parallel;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rings that are worked on at the same time.
class ParallelTest {
    /// Twenty rings wait, two have a place at a time, and the last one is changed while all the others wait.
    @Test
    @Timeout(30)
    void waitingRingsTakeNoSlot() {
        var changed = new CountDownLatch(1);
        var rings = IntStream.rangeClosed(1, 21).boxed().toList();

        var results = Parallel.map(rings, 2, ring -> {
            if (ring == 21) {
                changed.countDown();
                return "changed";
            }
            RolloutSlot.mine().lend();
            await(changed);
            return "waited";
        });

        assertThat(results).hasSize(21).endsWith("changed");
    }

    @Test
    @Timeout(30)
    void neverGivesMoreSlotsThanLimit() {
        var now = new AtomicInteger();
        var most = new AtomicInteger();

        Parallel.map(IntStream.range(0, 50).boxed().toList(), 3, ring -> {
            RolloutSlot.mine().lend();
            while (!RolloutSlot.mine().regain()) {
                Thread.yield();
            }
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
            return ring;
        });

        assertThat(most.get()).isBetween(1, 3);
    }

    /// A JVM ends at once only where no thread of its own waits for the network; it has one from the first virtual
    /// thread on that does.
    @Test
    void smallRunHasNoVirtualThreads() {
        var few = IntStream.range(0, 100).boxed().toList();
        var many = IntStream.range(0, 101).boxed().toList();

        assertThat(Parallel.map(few, 8, _ -> Thread.currentThread().isVirtual()))
                .containsOnly(false);
        assertThat(Parallel.map(many, 8, _ -> Thread.currentThread().isVirtual()))
                .containsOnly(true);
    }

    @Test
    void asksOnThreadsLikeTheCallers() {
        try (var threads = new LikeCaller("asking")) {
            for (int rings : List.of(2, 200)) {
                var alike = Parallel.map(
                        IntStream.range(0, rings).boxed().toList(),
                        2,
                        _ -> CompletableFuture.supplyAsync(
                                        () -> Thread.currentThread().isVirtual(), threads)
                                .join()
                                .equals(Thread.currentThread().isVirtual()));

                assertThat(alike).hasSize(rings).containsOnly(true);
            }
        }
    }

    @Test
    void allowsOneMoreWithEachResultFromFew() {
        var now = new AtomicInteger();
        var done = new AtomicInteger();
        var tooMany = new AtomicInteger();

        Parallel.mapFromFew(IntStream.range(0, 200).boxed().toList(), 16, ring -> {
            if (now.incrementAndGet() > Math.min(16, 2 + done.get())) {
                tooMany.incrementAndGet();
            }
            Thread.yield();
            now.decrementAndGet();
            done.incrementAndGet();
            return ring;
        });

        assertThat(tooMany).hasValue(0);
    }

    @Test
    @Timeout(30)
    void reachesLimitFromFew() {
        var together = new CyclicBarrier(4);

        var results = Parallel.mapFromFew(IntStream.range(0, 18).boxed().toList(), 4, ring -> {
            if (ring >= 2) {
                meet(together);
            }
            return ring;
        });

        assertThat(results).hasSize(18);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endedRingThatLentItsSlotReturnsOnlyOne() {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        Parallel.map(List.of(1, 2, 3, 4, 5, 6), 1, ring -> {
            if (ring < 4) {
                RolloutSlot.mine().lend();
                RolloutSlot.mine().lend();
                return ring;
            }
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
            return ring;
        });

        assertThat(most).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
