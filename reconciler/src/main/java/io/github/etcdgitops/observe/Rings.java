package io.github.etcdgitops.observe;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import java.util.Optional;
import java.util.function.Predicate;

/// Where rings are seen.
public interface Rings {
    /// The objects of all rings there are, of those that are not `wanted` up to a number. Finds, never proves
    /// absence.
    Listing list(Predicate<ClusterRef> wanted);

    /// Adds what the members say, and what differs from the spec, to objects that were listed.
    ClusterState complete(ClusterRef ref, KubeState listed, Optional<EtcdClusterSpec> spec);

    /// Everything anew, each object by name: the only reading on which something may be done.
    ClusterState fresh(EtcdClusterSpec spec);

    /// The same of a ring that no document describes.
    ClusterState orphan(ClusterRef ref);
}
