package io.github.etcdgitops.git.remote;

import java.time.Duration;
import org.eclipse.jgit.lib.ProgressMonitor;

/// Ends a transfer that takes too long. The timeout of a transport is for a silent server; this one is for
/// a server that sends a byte now and then.
final class Deadline implements ProgressMonitor {
    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    static Deadline after(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    @Override
    public boolean isCancelled() {
        return System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted();
    }

    @Override
    public void start(int totalTasks) {}

    @Override
    public void beginTask(String title, int totalWork) {}

    @Override
    public void update(int completed) {}

    @Override
    public void endTask() {}

    @Override
    public void showDuration(boolean enabled) {}
}
