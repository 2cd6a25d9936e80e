package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;

/// Told of every operation and every step as it begins and as it has ended, on the ring's own thread.
public interface StepListener {
    StepListener NONE = new StepListener() {};

    default void begins(Operation operation) {}

    default void begins(Operation operation, Step step) {}

    /// The step in hand waits for this: told within seconds, and again when it is something else.
    default void waits(String missing) {}

    default void ended(StepEvent event) {}

    /// `detail` says why when it is not done. An operation that may not begin ends without having begun.
    default void ended(Operation operation, ClusterResult.Outcome outcome, String detail) {}

    /// Tells both, one after the other.
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
