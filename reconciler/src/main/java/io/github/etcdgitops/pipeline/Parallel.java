package io.github.etcdgitops.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// The same work for many rings on virtual threads, so many at a time, in the order of the input.
public final class Parallel {
    private Parallel() {}

    /// `work` must not throw for a ring in trouble: what it throws is a bug and ends the run.
    public static <T, R> List<R> map(List<T> items, int atOnce, Function<T, R> work) {
        var slots = new Semaphore(atOnce);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<R>>();
            for (T item : items) {
                futures.add(threads.submit(() -> {
                    slots.acquire();
                    try {
                        return work.apply(item);
                    } finally {
                        slots.release();
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
                case null, default -> throw new IllegalStateException("a ring's work threw what it may not", e);
            }
        }
    }
}
