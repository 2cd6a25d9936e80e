package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;

/// What steps on volumes require besides the checks of every step. Pure; fails closed.
final class GrowGate {
    private GrowGate() {}

    /// The new StatefulSet must find the pods with its own template. A pod that is just being created may
    /// not be known yet to the controller that orphans the pods.
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
        return fresh.kube().knownSet().orElseThrow();
    }
}
