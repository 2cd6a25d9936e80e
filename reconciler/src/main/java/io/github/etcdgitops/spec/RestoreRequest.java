package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// A new ring from a backup: the ring's document describes the ring, this one its data.
///
/// `bumpRevision` adds that number to the restored revision, for watchers that remember revisions;
/// everything before is then marked as compacted.
///
/// `inPlace` is the cluster ID, etcd's own, of the existing ring that makes way; without it, no ring may
/// exist.
public record RestoreRequest(
        String name,
        ClusterRef cluster,
        From from,
        Optional<Long> bumpRevision,
        Optional<String> inPlace,
        Location source) {
    public sealed interface From {
        /// A backup of a policy, of the ring `ring` of the environment `environment`; without an id the
        /// newest verified one.
        record Kept(String policy, String environment, ClusterRef ring, Optional<String> backup) implements From {}

        /// One object without a manifest, as other operators wrote it; `destination`'s prefix is its whole
        /// key. The file itself must prove what a manifest would.
        record Bare(Destination destination) implements From {}
    }
}
