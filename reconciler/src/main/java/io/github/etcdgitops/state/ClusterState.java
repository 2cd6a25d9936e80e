package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ClusterRef;
import java.util.List;

/// Everything observed of one ring at one time. `templateDigest` of the running pods is in `kube`;
/// `templateWanted` is what the spec renders to, so that a difference can be named before an operation for it
/// exists.
public record ClusterState(
        ClusterRef ref,
        KubeState kube,
        Observed<RingState> ring,
        Observed<List<ObjectDrift>> drift,
        String templateWanted) {}
