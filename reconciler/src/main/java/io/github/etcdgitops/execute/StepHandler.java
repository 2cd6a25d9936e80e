package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import java.util.Optional;

/// Carries out the steps of one family. If a run is killed in a step, at any point, another run can do the
/// same step again.
public interface StepHandler<S extends Step> {
    /// Why the step is unnecessary, by the latest reading; empty where it must run.
    default Optional<String> alreadySo(S step) {
        return Optional.empty();
    }

    StepResult act(S step);
}
