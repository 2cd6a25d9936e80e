package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import java.util.Optional;

/// Carries out the steps of one family. Each case is written so that a run that was killed in it, at
/// any point, can be followed by another one doing the same step.
public interface StepHandler<S extends Step> {
    /// What makes the step unnecessary, seen on the freshest reading; empty where it has to be done.
    default Optional<String> alreadySo(S step) {
        return Optional.empty();
    }

    StepResult act(S step);
}
