package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.Since;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import java.time.Duration;
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

    /// Waits until the member's pod has the newest template and is ready, or will not become so, or none is
    /// made, and looks at that pod alone: while a container starts, the ring has better things to do than to be
    /// read.
    void awaitBack(int ordinal, Duration deadline) {
        var revision = set().rollout().updateRevision();
        var without = new Since(context);
        context.awaitTurn(deadline, () -> {
            var pod = now(ordinal);
            boolean settled = pod.filter(p -> p.revision().equals(revision) && !p.terminating())
                    .filter(p -> p.ready() || Failing.silent(p))
                    .isPresent();
            return settled || without.over(pod.isEmpty()) ? Optional.empty() : Optional.of("not yet");
        });
    }

    private Optional<KubeState.PodState> now(int ordinal) {
        try {
            return context.kube().pod(context.ref(), ordinal);
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }
}
