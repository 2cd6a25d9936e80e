package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// A new ring from a backup: the document of the ring says what it shall be, this one what is in it.
///
/// `bumpRevision` adds so much to the restored revision, for watchers that remember revisions; everything before is
/// then marked as compacted.
///
/// `inPlace` is the cluster ID, etcd's own, of the ring that is there and makes room; without one, nothing is there.
public record RestoreRequest(
        String name,
        ClusterRef cluster,
        From from,
        Optional<Long> bumpRevision,
        Optional<String> inPlace,
        Location source) {
    public sealed interface From {
        /// A backup that a policy keeps, of the ring `ring` of the environment `environment`; without an id the newest
        /// verified one.
        record Kept(String policy, String environment, ClusterRef ring, Optional<String> backup) implements From {}

        /// One object without a manifest, as other operators wrote it; `destination`'s prefix is its whole key. What a
        /// manifest would prove must be proven by the file itself.
        record Bare(Destination destination) implements From {}
    }
}
