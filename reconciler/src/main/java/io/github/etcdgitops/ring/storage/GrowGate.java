package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;

/// What steps around volumes ask for besides what every step does. Pure; fails closed.
final class GrowGate {
    private GrowGate() {}

    /// Who takes the pods over must find them with the template that it has itself. And whoever is just
    /// being made may not be known yet to those who let the pods go.
    static Optional<String> otherRevision(ClusterState fresh) {
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
