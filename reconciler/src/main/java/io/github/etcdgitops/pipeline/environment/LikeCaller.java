package io.github.etcdgitops.pipeline.environment;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Runs each task on a virtual thread for a caller that is one, and else on a platform thread. [Parallel] says why a
/// small run has none.
public final class LikeCaller implements Executor, AutoCloseable {
    private final ExecutorService platform;

    public LikeCaller(String name) {
        this.platform = Executors.newCachedThreadPool(
                Thread.ofPlatform().name(name + "-", 0).daemon().factory());
    }

    @Override
    public void execute(Runnable task) {
        if (Thread.currentThread().isVirtual()) {
            Thread.startVirtualThread(task);
        } else {
            platform.execute(task);
        }
    }

    /// Interrupts what is still under way on platform threads.
    @Override
    public void close() {
        platform.shutdownNow();
    }
}
