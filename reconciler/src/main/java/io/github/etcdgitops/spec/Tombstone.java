package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// The second half of a deletion: somebody says that a ring without a document shall go, and what becomes
/// of its data. `clusterId` is etcd's own of the ring that is meant, so that it never hits a later ring of
/// the same name. `policy` is the BackupPolicy whose store a last snapshot goes to, where one is wanted.
public record Tombstone(
        String name,
        ClusterRef cluster,
        String clusterId,
        Data data,
        Optional<String> policy,
        String reason,
        Location source) {
    public enum Data {
        /// The volumes are kept, and the ring comes back with its document.
        RETAIN("retain"),
        /// A snapshot is taken, and then the ring and its volumes are deleted.
        SNAPSHOT_THEN_DELETE("snapshotThenDelete"),
        /// The volumes that were kept of a ring that was deleted are deleted as well.
        DELETE_RETAINED("deleteRetained");

        private final String word;

        Data(String word) {
            this.word = word;
        }

        /// As documents have it.
        public String word() {
            return word;
        }
    }
}
