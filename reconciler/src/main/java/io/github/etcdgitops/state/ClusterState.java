package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ClusterRef;
import java.util.List;
import java.util.Optional;

/// Everything observed of one ring at one time. `templateDigest` of the StatefulSet is in `kube`;
/// `templateWanted` is that of what it should be next. `foreign` is read only where the StatefulSet is
/// not ours and somebody asks for it.
public record ClusterState(
        ClusterRef ref,
        KubeState kube,
        Observed<RingState> ring,
        Observed<List<ObjectDrift>> drift,
        String templateWanted,
        Observed<Optional<Foreign>> foreign) {
    /// Of a ring of ours.
    public ClusterState(
            ClusterRef ref,
            KubeState kube,
            Observed<RingState> ring,
            Observed<List<ObjectDrift>> drift,
            String templateWanted) {
        this(ref, kube, ring, drift, templateWanted, Observed.known(Optional.empty()));
    }
}
