package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;

/// What a run does to a ring that has a tombstone and no document. All that is known of such a ring is in
/// its journal.
public sealed interface Deletion extends Operation permits DeleteCluster, DeleteAfterSnapshot, DeleteVolumes {
    /// How many members it has or had.
    int members();

    EtcdVersion version();

    /// What is known of the ring, used in place of its document.
    default EtcdClusterSpec document() {
        return EtcdClusterSpec.without(ref(), members(), version());
    }

    @Override
    default boolean endsRing() {
        return true;
    }

    @Override
    default List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.TOMBSTONES);
    }
}
