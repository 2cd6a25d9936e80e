package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which the volumes of a running ring become larger. Sizes are quantities, such as `2Gi`.
public sealed interface GrowStep extends Step.OfGrowth {
    /// Asks for a larger volume in the claim of that name, and waits until it has it and every member is
    /// well. Nothing is asked of the next one before. Where the member is restarted afterwards, if need
    /// be, its file system is not waited for.
    record ExpandClaim(int ordinal, String claim, String size, boolean restarted) implements GrowStep {}

    /// Deletes the member's pod, which is made anew as it was, and waits until its claim has the size
    /// and every member is well. Not where it has it already.
    record RestartForVolume(int ordinal, String size) implements GrowStep {}

    /// Journals what the StatefulSet is made anew from: nothing else will know of it for a moment.
    record BeginRecreation(Storage storage, String operationId) implements GrowStep {}

    /// Deletes the StatefulSet in the way that leaves its pods, and waits until it is gone. Until there
    /// is another one, a pod that ends is not made anew.
    record OrphanPods() implements GrowStep {}

    /// Creates the StatefulSet from what the journal says, with the pods' own template and pinned, and
    /// waits until its controller has taken the pods over.
    record RecreateStatefulSet(int replicas) implements GrowStep {}

    /// Journals that nothing is under way any more.
    record FinishRecreation() implements GrowStep {}

    /// What brings a StatefulSet back asks nothing of the ring: it may be away just because of that.
    @Override
    default Gate gate() {
        return switch (this) {
            case ExpandClaim _, RestartForVolume _, OrphanPods _ -> Gate.GREEN;
            case BeginRecreation _ -> Gate.EXPECTED;
            case RecreateStatefulSet _ -> Gate.UNSUSPENDED;
            case FinishRecreation _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case ExpandClaim _ -> Duration.ofMinutes(15);
            case RestartForVolume _ -> Duration.ofMinutes(10);
            case OrphanPods _, RecreateStatefulSet _ -> Duration.ofMinutes(5);
            case BeginRecreation _, FinishRecreation _ -> Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case OrphanPods _ -> ring.withReplicas(0);
            case RecreateStatefulSet(int replicas) -> ring.withReplicas(replicas);
            case ExpandClaim _, RestartForVolume _, BeginRecreation _, FinishRecreation _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return switch (this) {
            case RestartForVolume(int ordinal, var unused) -> before.quorumWithout(ordinal);
            case ExpandClaim _, BeginRecreation _, OrphanPods _, RecreateStatefulSet _, FinishRecreation _ ->
                before.quorum();
        };
    }
}
