package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.EtcdVersion;

/// What is done to a ring that has no document, because a tombstone of it says so. All that is known of
/// such a ring is in its journal.
public sealed interface Deletion extends Operation permits DeleteCluster, DeleteAfterSnapshot, DeleteVolumes {
    /// How many it has or had.
    int members();

    EtcdVersion version();
}
