package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ClusterRef;
import java.util.List;

/// Everything observed of one ring at one time. `templateDigest` of the StatefulSet is in `kube`;
/// `templateWanted` is that
/// of what it should be next.
public record ClusterState(
        ClusterRef ref,
        KubeState kube,
        Observed<RingState> ring,
        Observed<List<ObjectDrift>> drift,
        String templateWanted) {}
