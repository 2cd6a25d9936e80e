package io.github.etcdgitops.observe;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;
import java.util.SortedMap;

/// Where rings are seen.
public interface Rings {
    /// The objects of all rings there are. Finds, never proves absence.
    SortedMap<ClusterRef, KubeState> list();

    /// Adds what the members say, and what differs from the spec, to objects that were listed.
    ClusterState complete(ClusterRef ref, KubeState listed, Optional<EtcdClusterSpec> spec);

    /// Everything anew, each object by name: the only reading on which something may be done.
    ClusterState fresh(EtcdClusterSpec spec);

    /// The same of a ring that no document describes.
    ClusterState orphan(ClusterRef ref);
}
