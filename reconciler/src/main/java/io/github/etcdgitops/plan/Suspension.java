package io.github.etcdgitops.plan;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.time.Instant;
import java.util.Optional;

/// Who suspended changes, and why: in Git, or by the annotation that works without Git.
final class Suspension {
    private Suspension() {}

    static Optional<String> of(EtcdClusterSpec spec, ClusterState state, Instant now) {
        var inSpec = spec.declaration()
                .suspend()
                .filter(s -> s.activeAt(now))
                .map(s -> "suspended in Git by " + s.by() + ": " + s.reason()
                        + s.until().map(u -> " (until " + u + ")").orElse(""));
        return inSpec.or(() -> state.kube()
                .knownSet()
                .flatMap(KubeState.StatefulSetState::suspended)
                .map(text -> "suspended by the annotation etcdgitops.dev/suspend on the StatefulSet: " + text));
    }
}
