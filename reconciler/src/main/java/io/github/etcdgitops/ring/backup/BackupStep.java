package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import java.time.Duration;
import java.util.List;

/// Steps that only read the ring and write to other places.
public sealed interface BackupStep extends Step {
    /// Streams a follower's database to the destination. The stored object has no manifest yet and is not a
    /// backup.
    record SaveSnapshot(BackupOrder order) implements BackupStep {
        @Override
        public Facts facts() {
            return Facts.of("SaveSnapshot", Gate.UNSUSPENDED)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofHours(12));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Stream a snapshot from a follower to " + order.destination().title();
        }
    }

    /// Compares the members' hashes with the stored snapshot, and writes the manifest of what the previous
    /// step saved.
    record CertifyBackup(BackupOrder order, String operationId) implements BackupStep {
        @Override
        public Facts facts() {
            return Facts.of("CertifyBackup", Gate.UNSUSPENDED)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compare the stored snapshot with the members' hashes and write the manifest";
        }
    }

    /// Deletes backups, their manifests first, and what unfinished backups left behind. The newest verified
    /// backup stays.
    record DeleteBackups(BackupOrder order, List<BackupKey> expired, List<BackupKey> leftovers) implements BackupStep {
        public DeleteBackups {
            expired = List.copyOf(expired);
            leftovers = List.copyOf(leftovers);
        }

        @Override
        public Facts facts() {
            return Facts.of("DeleteBackups", Gate.UNSUSPENDED).undo("no").within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete " + Count.of(expired.size() + leftovers.size(), "backup") + " from "
                    + order.destination().title();
        }
    }

    /// Restores the newest backup into its own volume in `namespace`, compares the result, writes the
    /// outcome beside the manifest, and removes everything again.
    record TryRestore(BackupOrder order, BackupKey backup, String namespace, String operationId) implements BackupStep {
        @Override
        public Facts facts() {
            return Facts.of("TryRestore", Gate.UNSUSPENDED)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofHours(12));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Restore backup " + backup.id() + " of " + ref + " in namespace " + namespace
                    + " as a test restore, compare the data and remove it again";
        }
    }
}
