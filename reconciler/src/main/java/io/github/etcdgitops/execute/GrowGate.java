package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Space;
import io.github.etcdgitops.step.GrowStep;
import java.util.Optional;

/// What steps around volumes ask for besides what every step does. Pure; fails closed.
final class GrowGate {
    private GrowGate() {}

    /// Larger volumes are what a ring needs that is out of space: that alone does not keep it from them.
    static ClusterState seen(ClusterState fresh) {
        return Space.ignored(fresh);
    }

    static Optional<String> check(GrowStep step, ClusterState fresh) {
        return switch (step) {
            case GrowStep.RestartForVolume(int ordinal, var unused) ->
                RollGate.pinned(fresh).or(() -> RollGate.away(ordinal, fresh)).or(() -> SafetyGate.evictable(fresh));
            case GrowStep.OrphanPods _ ->
                RollGate.pinned(fresh).or(() -> SafetyGate.evictable(fresh)).or(() -> otherRevision(fresh));
            case GrowStep.ExpandClaim _, GrowStep.BeginRecreation _, GrowStep.RecreateStatefulSet _ -> Optional.empty();
            case GrowStep.FinishRecreation _ -> Optional.empty();
        };
    }

    /// Who takes the pods over must find them with the template that it has itself. And whoever is just
    /// being made may not be known yet to those who let the pods go.
    private static Optional<String> otherRevision(ClusterState fresh) {
        var set = set(fresh);
        var pods = fresh.kube().pods().optional().orElseThrow();
        for (int ordinal = 0; ordinal < set.replicas(); ordinal++) {
            var pod = Optional.ofNullable(pods.get(ordinal));
            if (pod.filter(p -> p.ready() && p.revision().equals(set.rollout().currentRevision()))
                    .isEmpty()) {
                return Optional.of(fresh.ref().podName(ordinal) + " is not ready with the StatefulSet's template");
            }
        }
        return Optional.empty();
    }

    private static KubeState.StatefulSetState set(ClusterState fresh) {
        return fresh.kube().statefulSet().optional().flatMap(s -> s).orElseThrow();
    }
}
