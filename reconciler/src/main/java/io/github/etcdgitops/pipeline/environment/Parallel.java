package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.execute.RolloutSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// The same work for many rings, a limited number at a time, in the order of the input. A ring that lends its
/// [RolloutSlot] does not count during that time.
///
/// Virtual threads cost less, but they wait for the network in a thread of the JVM that never ends, and at its exit a
/// JVM
/// waits 0.3 s for such a thread. So a small run has platform threads.
public final class Parallel {
    private static final int FEW = 2;
    private static final int SMALL_RUN = 100;

    private Parallel() {}

    /// A slot that is taken from its creation on. For one thread at a time.
    private static final class Slot implements RolloutSlot {
        private final Semaphore slots;
        private boolean held = true;

        Slot(Semaphore slots) throws InterruptedException {
            this.slots = slots;
            slots.acquire();
        }

        @Override
        public void lend() {
            if (held) {
                held = false;
                slots.release();
            }
        }

        @Override
        public boolean regain() {
            held = held || slots.tryAcquire();
            return held;
        }
    }

    /// The same for work that asks members and has to wait for little else: it begins with a few items, and with each
    /// result one more may be under way, up to `atOnce`. The first calls of a process are slow, and many of them at
    /// once slow each other down until healthy members seem not to answer in time.
    public static <T, R> List<R> mapFromFew(List<T> items, int atOnce, Function<T, R> work) {
        var slots = new Semaphore(Math.min(FEW, atOnce));
        var more = new AtomicInteger(atOnce - FEW);
        return map(items, slots, item -> {
            try {
                return work.apply(item);
            } finally {
                if (more.getAndDecrement() > 0) {
                    slots.release();
                }
            }
        });
    }

    private static ExecutorService threads(int items) {
        return items > SMALL_RUN
                ? Executors.newVirtualThreadPerTaskExecutor()
                : Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("ring-", 0).daemon().factory());
    }

    /// `work` must not throw for a ring with problems: an exception is a bug and ends the run.
    public static <T, R> List<R> map(List<T> items, int atOnce, Function<T, R> work) {
        return map(items, new Semaphore(atOnce), work);
    }

    private static <T, R> List<R> map(List<T> items, Semaphore slots, Function<T, R> work) {
        try (var threads = threads(items.size())) {
            var futures = new ArrayList<Future<R>>();
            for (T item : items) {
                // Waited for here: each of thousands of waiting threads would take memory.
                var slot = new Slot(slots);
                futures.add(threads.submit(() -> {
                    try {
                        return ScopedValue.where(RolloutSlot.MINE, slot).call(() -> work.apply(item));
                    } finally {
                        slot.lend();
                    }
                }));
            }
            var results = new ArrayList<R>();
            for (var future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RunException(RunException.Kind.TEMPORARY, "interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException runtime -> throw runtime;
                case Error error -> throw error;
                case null, default ->
                    throw new IllegalStateException("the work of a ring threw an unexpected exception", e);
            }
        }
    }
}
