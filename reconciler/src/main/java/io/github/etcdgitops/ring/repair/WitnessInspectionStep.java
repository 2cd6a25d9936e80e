package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.underway.Inspections;
import java.util.Optional;

/// Has a Job copy the data of a member that ends at each start, start etcd on the copy, and tell its
/// hash, so that it can be compared with what the voters that answer have; journals that, whatever it
/// is.
///
/// Nothing is written to the volume. What was copied while the member ran counts for nothing, and is copied
/// once more.
public record WitnessInspectionStep(int ordinal, String claimUid, String operationId) implements Step {
    @Override
    public Facts facts() {
        return Facts.of("LookStep", Gate.EXPECTED)
                .undo("changes nothing in the ring, nor on the volume")
                .within(InspectStep.LONGEST.plusMinutes(5));
    }

    @Override
    public Optional<String> obstacle(ClusterState fresh) {
        return MemberGate.standing(fresh, 0)
                .or(() -> ReplaceGate.comesUp(ordinal, fresh))
                .or(() -> Inspections.witnessObstacle(fresh, ordinal, claimUid));
    }

    @Override
    public String text(ClusterRef ref) {
        return "Copy the data on the volume of " + ref.podName(ordinal)
                + " in a Job, start etcd on the copy and record the hash of its data in the journal";
    }
}
