package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.state.health.Defect;

/// Forwards to another listener. A failure there (a terminal, an Event) does not stop an operation
/// half-way.
public record ContainedListener(StepListener listener) implements StepListener {
    @Override
    public void begins(Operation operation) {
        tell(() -> listener.begins(operation));
    }

    @Override
    public void begins(Operation operation, Step step) {
        tell(() -> listener.begins(operation, step));
    }

    @Override
    public void waits(String missing) {
        tell(() -> listener.waits(missing));
    }

    @Override
    public void ended(StepEvent event) {
        tell(() -> listener.ended(event));
    }

    @Override
    public void ended(Operation operation, ClusterResult.Outcome outcome, String detail) {
        tell(() -> listener.ended(operation, outcome, detail));
    }

    private static void tell(Runnable word) {
        Defect.contain(
                () -> {
                    word.run();
                    return true;
                },
                _ -> false);
    }
}
