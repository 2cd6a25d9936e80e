package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.execute.RolloutSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// The same work for many rings on virtual threads, a limited number at a time, in the order of the input.
/// A ring that lends its [RolloutSlot] does not count during that time.
public final class Parallel {
    private Parallel() {}

    /// A slot that is taken from its creation on. For one thread only.
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

    /// `work` must not throw for a ring with problems: an exception is a bug and ends the run.
    public static <T, R> List<R> map(List<T> items, int atOnce, Function<T, R> work) {
        var slots = new Semaphore(atOnce);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<R>>();
            for (T item : items) {
                futures.add(threads.submit(() -> {
                    var slot = new Slot(slots);
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
