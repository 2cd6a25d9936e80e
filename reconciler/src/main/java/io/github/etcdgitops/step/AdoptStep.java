package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which a ring that somebody else has made becomes ours. None of them restarts a member.
public sealed interface AdoptStep extends Step.OfAdoption {
    /// Keeps the manifest of the StatefulSet, and opens the journal with what was proven. In a journal
    /// that is open, notes that this run carries on.
    record OpenAdoption(AdoptionOrder order, String operationId) implements AdoptStep {}

    /// Tells the ring a second peer URL of the member, the one that it will have. Its own stays.
    record AddPeerUrl(int ordinal) implements AdoptStep {}

    /// Deletes the StatefulSet and leaves its pods: until there is ours, nobody makes a lost one anew.
    record OrphanPods(AdoptionOrder order) implements AdoptStep {}

    /// Puts our labels on pods and claims.
    record TakePods(AdoptionOrder order) implements AdoptStep {}

    /// Creates our StatefulSet with the former pod template, and waits until it has taken every pod.
    record RecreateStatefulSet(int size) implements AdoptStep {}

    /// Creates our StatefulSet anew around its running pods, with our template in place of the former one, for a
    /// member that has to be replaced before the roll is over. Nobody is restarted; the roll cannot be taken back
    /// after it.
    record RenewStatefulSet(int size) implements AdoptStep {}

    /// Puts our labels on the Service that has the name of the client Service, where there is one.
    record TakeService() implements AdoptStep {}

    /// Journals that nothing of before is in the way any more.
    record CloseAdoption() implements AdoptStep {}

    /// Once the StatefulSet is gone nothing waits for a green ring: a pod that died meanwhile comes back
    /// by these steps alone.
    @Override
    default Gate gate() {
        return switch (this) {
            case OpenAdoption _, TakePods _, RecreateStatefulSet _, RenewStatefulSet _ -> Gate.UNSUSPENDED;
            case AddPeerUrl _, OrphanPods _ -> Gate.GREEN;
            case TakeService _, CloseAdoption _ -> Gate.EXPECTED;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case RecreateStatefulSet _, RenewStatefulSet _ -> Duration.ofMinutes(5);
            case OpenAdoption _, AddPeerUrl _, OrphanPods _, TakePods _, TakeService _, CloseAdoption _ ->
                Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case OrphanPods _ -> ring.withReplicas(0);
            case RecreateStatefulSet(int size) -> ring.withReplicas(size);
            case RenewStatefulSet(int size) -> ring.withReplicas(size).withPartition(size);
            case OpenAdoption _, AddPeerUrl _, TakePods _, TakeService _, CloseAdoption _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return before.quorum();
    }
}
