package io.github.etcdgitops.observe;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import java.util.Optional;
import java.util.function.Predicate;

/// Reads rings.
public interface Rings {
    /// The objects of all existing rings; of those that are not `wanted`, up to a number. It finds rings,
    /// and never proves absence.
    Listing list(Predicate<ClusterRef> wanted);

    /// Adds the members' answers, and the differences from the spec, to listed objects.
    ClusterState complete(ClusterRef ref, KubeState listed, Optional<EtcdClusterSpec> spec);

    /// Reads everything again, each object by name: the only reading that permits an action.
    ClusterState fresh(EtcdClusterSpec spec);

    /// The same for a ring that no document describes.
    ClusterState orphan(ClusterRef ref);
}
