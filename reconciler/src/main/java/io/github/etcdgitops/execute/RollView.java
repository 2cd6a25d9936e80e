package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.KubeState;
import java.util.Optional;

/// Where a roll stands, on the freshest reading.
record RollView(StepContext context) {
    KubeState.StatefulSetState set() {
        return context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone, or cannot be read"));
    }

    /// The template from before the roll is the StatefulSet's.
    boolean former() {
        return context.statefulSet()
                .flatMap(set -> context.journal()
                        .roll()
                        .filter(roll -> roll.formerTemplate().equals(set.templateDigest())))
                .isPresent();
    }

    boolean pinned(int replicas) {
        return context.statefulSet()
                .filter(s -> s.rollout().partition() == replicas)
                .isPresent();
    }

    /// The controller has seen what was written. Not so while the StatefulSet cannot be read.
    boolean settled() {
        return context.statefulSet().filter(s -> s.rollout().settled()).isPresent();
    }

    /// The controller has seen what was written, and no pod has to be of another revision than it is.
    boolean still() {
        return settled() && !set().rollout().inProgress();
    }

    /// The journal has nothing under way.
    boolean over() {
        return context.journal().intent().isEmpty();
    }

    /// The member's pod, where it has the StatefulSet's newest template.
    Optional<KubeState.PodState> newest(int ordinal) {
        return context.statefulSet()
                .flatMap(set -> context.pod(ordinal)
                        .filter(pod -> pod.revision().equals(set.rollout().updateRevision())));
    }
}
