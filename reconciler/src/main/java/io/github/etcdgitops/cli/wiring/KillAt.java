package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Ends the process like SIGKILL, at the given boundary between steps. Only for tests.
final class KillAt implements FaultHook {
    private final AtomicInteger left;

    private KillAt(int boundary) {
        this.left = new AtomicInteger(boundary);
    }

    @Override
    public void reached(String boundary) {
        if (left.decrementAndGet() == 0) {
            System.err.println("fault: killed at " + boundary);
            Runtime.getRuntime().halt(137);
        }
    }

    /// `ETCD_GITOPS_FAULT_KILL_AT=7` ends the process without any clean-up at the seventh boundary between
    /// steps: for tests.
    static FaultHook of(Map<String, String> environment) {
        String at = environment.getOrDefault("ETCD_GITOPS_FAULT_KILL_AT", "");
        if (at.isEmpty()) {
            return FaultHook.NONE;
        }
        try {
            return new KillAt(Integer.parseInt(at));
        } catch (NumberFormatException _) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION, "ETCD_GITOPS_FAULT_KILL_AT must be a number, not '" + at + "'");
        }
    }
}
