package io.github.etcdgitops.worlds;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/// Does everything at once, in the order in which it was asked for: the world is for one thread.
final class SameThread extends AbstractExecutorService {
    private boolean over;

    @Override
    public void execute(Runnable work) {
        work.run();
    }

    @Override
    public void shutdown() {
        over = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        over = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return over;
    }

    @Override
    public boolean isTerminated() {
        return over;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
