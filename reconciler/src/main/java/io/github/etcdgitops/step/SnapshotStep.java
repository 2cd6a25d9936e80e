package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps around the last snapshot of a ring that is deleted together with its volumes. They read the ring
/// and the store, and write the journal.
public sealed interface SnapshotStep extends Step.OfDeletion {
    /// How long nobody may have written before the snapshot is taken.
    Duration QUIET = Duration.ofSeconds(10);

    /// Waits a while, and looks whether anybody writes: a ring that is in use is not deleted with its data.
    record AwaitQuiet() implements SnapshotStep {}

    /// Reads the whole snapshot back from the store, compares it with its manifest and with the ring, and
    /// journals it.
    record ProveSnapshot(BackupOrder order, String operationId) implements SnapshotStep {}

    /// Looks once more whether the journalled snapshot is there, right before what it was taken of goes.
    record ConfirmSnapshot(BackupOrder order) implements SnapshotStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case AwaitQuiet _, ProveSnapshot _ -> Gate.GREEN;
            case ConfirmSnapshot _ -> Gate.EXPECTED;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case AwaitQuiet _ -> Duration.ofMinutes(1);
            case ProveSnapshot _ -> Duration.ofHours(12);
            case ConfirmSnapshot _ -> Duration.ofMinutes(5);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return ring;
    }

    @Override
    default Quorum during(RingModel before) {
        return before.quorum();
    }
}
