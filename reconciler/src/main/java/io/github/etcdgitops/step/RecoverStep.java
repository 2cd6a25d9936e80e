package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Steps by which a ring makes room for another one of its name and its volumes. None of them asks for a
/// ring that can be read: it may have no quorum, or answer nobody.
public sealed interface RecoverStep extends Step.OfDeletion {
    /// Asks the volume that is to receive the snapshot for its room, by a pod on the machine that has it, while
    /// the ring still is as it was. Changes nothing.
    record ProveRoom(RestoreOrder order, String operationId) implements RecoverStep {
        /// Of the Job; an image may have to be pulled, and a volume attached.
        public static final Duration LONGEST = Duration.ofMinutes(6);
    }

    /// Journals what the ring is ended for, before anybody is.
    record BeginExchange(RestoreOrder order, EtcdId former, String operationId) implements RecoverStep {}

    /// Ends all members that are left. There is no way back from here: of a ring without a quorum nobody
    /// serves again once it was ended, not even what it has.
    record EndFormers(RestoreOrder order) implements RecoverStep {}

    /// Waits until every pod is gone for certain. One on a machine that does not answer may still run.
    record AwaitEnded(int members) implements RecoverStep {}

    /// Deletes what leads clients to the ring, until its data was compared.
    record LeadClientsAway() implements RecoverStep {}

    /// Deletes the StatefulSet, which has no pods by now, by its UID.
    record RemoveFormerSet() implements RecoverStep {}

    /// Takes the members' files away: whatever is started by hand, nobody of the former ring comes back.
    record UnseatFormers() implements RecoverStep {}

    /// Deletes claims whose volumes are gone, by their UIDs.
    record FreeLostClaims(SortedMap<Integer, String> claims) implements RecoverStep {
        public FreeLostClaims {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Journals the new ring of one in place of the former, with what it begins with.
    record OpenExchanged(RestoreOrder order, EtcdVersion version, String operationId) implements RecoverStep {}

    /// Journals that nothing is under way any more.
    record CallOff() implements RecoverStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case AwaitEnded _ -> Gate.NONE;
            case ProveRoom _, BeginExchange _, EndFormers _, LeadClientsAway _, RemoveFormerSet _ -> Gate.UNSUSPENDED;
            case UnseatFormers _, FreeLostClaims _, OpenExchanged _, CallOff _ -> Gate.UNSUSPENDED;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case ProveRoom _ -> ProveRoom.LONGEST.plusMinutes(2);
            case AwaitEnded _ -> Duration.ofMinutes(10);
            case RemoveFormerSet _, FreeLostClaims _ -> Duration.ofMinutes(5);
            case BeginExchange _, EndFormers _, LeadClientsAway _, UnseatFormers _, OpenExchanged _, CallOff _ ->
                Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case EndFormers _ -> RingModel.EMPTY.withMinAvailable(ring.minAvailable());
            case ProveRoom _, BeginExchange _, AwaitEnded _, LeadClientsAway _, RemoveFormerSet _ -> ring;
            case UnseatFormers _, FreeLostClaims _, OpenExchanged _, CallOff _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }
}
