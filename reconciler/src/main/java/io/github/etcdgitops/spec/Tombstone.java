package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// The second half of a deletion: it asks to delete a ring without a document, and says what happens to its
/// data. `clusterId` is etcd's own ID of that ring, so that it never affects a later ring of the same name.
/// `policy` is the BackupPolicy whose store receives a last snapshot, where one is wanted.
public record Tombstone(
        String name,
        ClusterRef cluster,
        String clusterId,
        Data data,
        Optional<String> policy,
        String reason,
        Location source) {
    public enum Data {
        /// The volumes are retained, and the ring comes back with its document.
        RETAIN("retain"),
        /// A snapshot is taken, and then the ring and its volumes are deleted.
        SNAPSHOT_THEN_DELETE("snapshotThenDelete"),
        /// The retained volumes of a deleted ring are deleted as well.
        DELETE_RETAINED("deleteRetained");

        private final String word;

        Data(String word) {
            this.word = word;
        }

        /// The word in documents.
        public String word() {
            return word;
        }
    }
}
