package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.execute.FaultHook;
import java.util.concurrent.atomic.AtomicInteger;

/// Ends the process like SIGKILL, at the given boundary between steps. Only for tests.
final class KillAt implements FaultHook {
    private final AtomicInteger left;

    KillAt(int boundary) {
        this.left = new AtomicInteger(boundary);
    }

    @Override
    public void reached(String boundary) {
        if (left.decrementAndGet() == 0) {
            System.err.println("fault: killed at " + boundary);
            Runtime.getRuntime().halt(137);
        }
    }
}
