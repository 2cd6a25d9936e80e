package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.util.Optional;

/// Steps for the last snapshot of a ring that is deleted together with its volumes. They read the ring and
/// the store, and write the journal.
public sealed interface SnapshotStep extends Step {
    /// How long no client may have written before the snapshot is taken.
    Duration QUIET = Duration.ofSeconds(10);

    /// Waits a while and checks for writes: a ring in use is not deleted with its data.
    record AwaitQuiet() implements SnapshotStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitQuiet", Gate.GREEN)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check for " + SnapshotStep.QUIET.toSeconds() + " seconds that no client writes to the ring";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE);
        }
    }

    /// Reads the whole snapshot back from the store, compares it with its manifest and with the ring, and
    /// journals it.
    record ProveSnapshot(BackupOrder order, String operationId) implements SnapshotStep {
        @Override
        public Facts facts() {
            return Facts.of("ProveSnapshot", Gate.GREEN)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofHours(12));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Read the snapshot back, compare it with the ring and record it in the journal; no client may have"
                    + " written since";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE);
        }
    }

    /// Checks once more that the journalled snapshot exists, right before the volumes are deleted.
    record ConfirmSnapshot(BackupOrder order) implements SnapshotStep {
        @Override
        public Facts facts() {
            return Facts.of("ConfirmSnapshot", Gate.EXPECTED)
                    .undo("changes nothing in the ring")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check once more that the snapshot is in "
                    + order.destination().title();
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE);
        }
    }
}
