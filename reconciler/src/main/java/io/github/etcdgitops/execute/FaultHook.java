package io.github.etcdgitops.execute;

/// Called at every boundary between steps, so that a test can end the process exactly there. Does nothing
/// in production.
@FunctionalInterface
public interface FaultHook {
    FaultHook NONE = _ -> {};

    /// `boundary` reads like `ScaleOut/AddLearner/after`.
    void reached(String boundary);
}
