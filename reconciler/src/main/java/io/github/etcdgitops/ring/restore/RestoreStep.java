package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.time.Duration;

/// Steps that fill member 0 of a ring that does not exist yet.
public sealed interface RestoreStep extends Step {
    /// Reads and verifies the whole snapshot, before anything is created.
    record VerifySource(RestoreOrder order) implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("VerifySource", Gate.UNSUSPENDED)
                    .undo("changes nothing")
                    .within(Duration.ofHours(12));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Read and verify the snapshot " + order.from();
        }
    }

    /// Creates the journal of a ring of one, with the data that the ring starts from.
    record OpenRestore(RestoreOrder order, EtcdVersion version, String operationId) implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("OpenRestore", Gate.UNSUSPENDED).undo("by deleting the ring and its claim");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the journal of a new ring on etcd " + version + ", which begins with "
                    + order.backup().map(id -> "backup " + id).orElse("this snapshot");
        }
    }

    /// Creates the claim of member 0 as the StatefulSet would, which then uses it.
    record CreateClaim() implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("CreateClaim", Gate.UNSUSPENDED).undo("by deleting the ring and its claim");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the volume claim of " + ref.podName(0);
        }
    }

    /// Runs a Job that loads the snapshot into the claim, in a new data directory. Its last act is the
    /// sealed configuration of member 0: only that file proves that the data is complete.
    record LoadSnapshot(RestoreOrder order, String operationId) implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("LoadSnapshot", Gate.UNSUSPENDED)
                    .undo("by deleting the ring and its claim")
                    .within(Duration.ofHours(12));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Restore the snapshot into the volume of " + ref.podName(0)
                    + " with a Job and seal the member's configuration";
        }
    }

    /// Deletes the Job and waits until its pod is gone: only one pod at a time can use a volume.
    record EndRestoreJob() implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("EndRestoreJob", Gate.UNSUSPENDED)
                    .undo("by deleting the ring and its claim")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove the Job and wait until its pod is gone";
        }
    }

    /// Compares revision, keys and hash of the ring with the manifest.
    record CompareData(RestoreOrder order) implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("CompareData", Gate.UNSUSPENDED)
                    .undo("changes nothing")
                    .within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compare revision, keys and hash with the manifest";
        }
    }

    /// Journals cluster ID and member ID and that nothing is under way any more, in one write: a journal
    /// with neither is read as that of a creation.
    record RecordRestored() implements RestoreStep {
        @Override
        public Facts facts() {
            return Facts.of("RecordRestored", Gate.UNSUSPENDED).undo("by deleting the ring and its claim");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record the cluster ID and the completed restore in the journal";
        }
    }
}
