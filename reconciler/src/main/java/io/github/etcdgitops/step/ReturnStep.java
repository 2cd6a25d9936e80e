package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.stream.IntStream;

/// Steps by which a ring that was deleted comes back on the volumes that were kept, or one whose deletion
/// is taken back.
public sealed interface ReturnStep extends Step.OfDeletion {
    /// Journals that the ring comes back, once its claims were seen to be those of then.
    record BeginReturn(String operationId) implements ReturnStep {}

    /// Writes each member's file, with which it starts on its own data only.
    record SealMembers() implements ReturnStep {}

    /// Creates the StatefulSet with a replica for each member of then, or gives an emptied one its
    /// replicas back.
    record StartMembers(int members) implements ReturnStep {}

    /// Waits until the members of then answer under their IDs and have a leader. Those whose
    /// volume is lost may be away, as long as the others are enough.
    record AwaitReturned(int members) implements ReturnStep {}

    /// Compares the data with what was journalled when the ring went.
    record CompareRemains() implements ReturnStep {}

    /// The claims are in use again.
    record TakeVolumes() implements ReturnStep {}

    /// Journals that nothing is under way, and that the ring is there.
    record FinishReturn() implements ReturnStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case BeginReturn _, SealMembers _, StartMembers _, TakeVolumes _ -> Gate.EXPECTED;
            case AwaitReturned _, CompareRemains _, FinishReturn _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case AwaitReturned _ -> Duration.ofMinutes(10);
            case CompareRemains _ -> Duration.ofMinutes(30);
            case BeginReturn _, SealMembers _, StartMembers _, TakeVolumes _, FinishReturn _ -> Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case StartMembers(int members) -> ring.withReplicas(members);
            // Of a ring that runs already, somebody may have removed members.
            case AwaitReturned(int members) ->
                ring.voters().isEmpty()
                        ? ring.withVoters(IntStream.range(0, members).boxed().toList())
                        : ring;
            case BeginReturn _, SealMembers _, CompareRemains _, TakeVolumes _, FinishReturn _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }
}
