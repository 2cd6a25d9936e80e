package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.state.Remains;
import java.time.Duration;

/// Steps by which a ring goes that somebody has written a tombstone for. What it takes to bring it back
/// stays: its journal, the members' files, its Secrets and its claims.
public sealed interface DeleteStep extends Step.OfDeletion {
    /// Journals that the ring is deleted, before anything of it is touched, and what becomes of its volumes.
    record BeginDeletion(String reason, String operationId, Remains.Volumes volumes) implements DeleteStep {}

    /// Deletes what leads clients to the ring. Who calls a member by its own name still reaches it.
    record CutClients() implements DeleteStep {}

    /// Compares all members' data and journals its hash: what is kept is whole on each volume.
    record CompareMembers() implements DeleteStep {}

    /// Ends all members at once. From here on until it is brought back nobody serves.
    record StopMembers() implements DeleteStep {}

    /// Waits until every pod is gone, and with it the last write to its volume.
    record AwaitStopped(int members) implements DeleteStep {}

    /// Marks the members' claims as kept.
    record KeepVolumes() implements DeleteStep {}

    /// Deletes the StatefulSet, which has no pods by now, by its UID, and nothing that it owns.
    record RemoveStatefulSet() implements DeleteStep {}

    /// Deletes what surrounded the members.
    record RemoveObjects() implements DeleteStep {}

    /// Journals that the ring is deleted, and that nothing is under way any more.
    record FinishDeletion() implements DeleteStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case CompareMembers _, StopMembers _ -> Gate.GREEN;
            case BeginDeletion _, CutClients _, KeepVolumes _, RemoveStatefulSet _, RemoveObjects _ -> Gate.EXPECTED;
            case AwaitStopped _, FinishDeletion _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case CompareMembers _ -> Duration.ofMinutes(30);
            case AwaitStopped _ -> Duration.ofMinutes(10);
            case RemoveStatefulSet _ -> Duration.ofMinutes(5);
            case BeginDeletion _, CutClients _, StopMembers _, KeepVolumes _, RemoveObjects _, FinishDeletion _ ->
                Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case StopMembers _ -> RingModel.EMPTY.withMinAvailable(ring.minAvailable());
            case RemoveObjects _ -> ring.withMinAvailable(-1);
            case BeginDeletion _, CutClients _, CompareMembers _, AwaitStopped _ -> ring;
            case KeepVolumes _, RemoveStatefulSet _, FinishDeletion _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }
}
