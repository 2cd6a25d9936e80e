package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;

/// Receives the start and the end of every operation and every step, on the ring's own thread.
public interface StepListener {
    StepListener NONE = new StepListener() {};

    default void begins(Operation operation) {}

    default void begins(Operation operation, Step step) {}

    /// The current step waits for `missing`: reported within seconds, and again when it changes.
    default void waits(String missing) {}

    default void ended(StepEvent event) {}

    /// `detail` says why it is not done. An operation that is not allowed ends without a start.
    default void ended(Operation operation, ClusterResult.Outcome outcome, String detail) {}

    /// Forwards to both, one after the other.
    static StepListener both(StepListener one, StepListener other) {
        return new StepListener() {
            @Override
            public void begins(Operation operation) {
                one.begins(operation);
                other.begins(operation);
            }

            @Override
            public void begins(Operation operation, Step step) {
                one.begins(operation, step);
                other.begins(operation, step);
            }

            @Override
            public void waits(String missing) {
                one.waits(missing);
                other.waits(missing);
            }

            @Override
            public void ended(StepEvent event) {
                one.ended(event);
                other.ended(event);
            }

            @Override
            public void ended(Operation operation, ClusterResult.Outcome outcome, String detail) {
                one.ended(operation, outcome, detail);
                other.ended(operation, outcome, detail);
            }
        };
    }
}
