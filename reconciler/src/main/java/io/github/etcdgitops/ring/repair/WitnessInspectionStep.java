package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.underway.Inspections;
import java.util.Optional;

/// Runs a Job that copies the data of a member that exits at each start, starts etcd on the copy, and
/// reports its hash, to compare it with the data of the voters that answer. Journals the result, whatever
/// it is.
///
/// Nothing is written to the volume. A copy made while the member ran does not count, and is made again.
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
