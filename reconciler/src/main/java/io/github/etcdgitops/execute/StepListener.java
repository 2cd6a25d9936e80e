package io.github.etcdgitops.execute;

import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.step.Step;

/// Told of every step as it begins and as it has ended, on the ring's own thread.
@FunctionalInterface
public interface StepListener {
    default void begins(Operation operation, Step step) {}

    void ended(StepEvent event);
}
