package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.Since;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import java.time.Duration;
import java.util.Optional;

/// The state of a roll, by the latest reading.
record RollView(StepContext context) {
    KubeState.StatefulSetState set() {
        return context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone, or cannot be read"));
    }

    /// Whether the StatefulSet has the template from before the roll.
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

    /// Whether the controller has seen the last write. False while the StatefulSet cannot be read.
    boolean settled() {
        return context.statefulSet().filter(s -> s.rollout().settled()).isPresent();
    }

    /// Whether the controller has seen the last write, and every pod has its final revision.
    boolean still() {
        return settled() && !set().rollout().inProgress();
    }

    /// Whether the journal has nothing under way.
    boolean over() {
        return context.journal().intent().isEmpty();
    }

    /// The member's pod, where it has the StatefulSet's newest template.
    Optional<KubeState.PodState> newest(int ordinal) {
        return context.statefulSet()
                .flatMap(set -> context.pod(ordinal)
                        .filter(pod -> pod.revision().equals(set.rollout().updateRevision())));
    }

    /// Waits until the member's pod has the newest template and is ready, or cannot become ready, or is not
    /// created. It reads only that pod: while a container starts, the ring should not be burdened with
    /// reads.
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
