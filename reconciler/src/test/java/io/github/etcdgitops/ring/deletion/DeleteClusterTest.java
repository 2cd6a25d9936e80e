package io.github.etcdgitops.ring.deletion;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeleteClusterTest {
    static final DeleteCluster DELETE =
            new DeleteCluster(ORDERS, new EtcdId(31), 3, new EtcdVersion(3, 5, 16), 0, "the team has moved");

    @Test
    void cutsClientsThenMembersThenObjects() {
        assertThat(StepOrder.names(DELETE))
                .containsExactly(
                        "BeginDeletion",
                        "CutClients",
                        "CompareMembers",
                        "StopMembers",
                        "AwaitStopped",
                        "KeepVolumes",
                        "RemoveStatefulSet",
                        "RemoveObjects",
                        "FinishDeletion");
    }

    @Test
    void shutsDownNoMemberUnlessAllAreHealthy() {
        assertThat(DELETE.steps())
                .filteredOn(step -> step instanceof DeleteStep.CompareMembers || step instanceof DeleteStep.StopMembers)
                .hasSize(2)
                .allMatch(step -> step.gate() == Step.Gate.GREEN);
        assertThat(DELETE.heals()).isFalse();
    }

    @Test
    void needsApproval() {
        assertThat(DELETE.risk()).isEqualTo(Risk.HIGH);
        assertThat(DELETE.consent()).isEqualTo(Consent.BY_RISK);
    }

    /// An approval is for this very ring, whatever its size and the words for it.
    @Test
    void idNamesClusterId() {
        assertThat(DELETE.id())
                .isEqualTo(new DeleteCluster(ORDERS, new EtcdId(31), 5, new EtcdVersion(3, 4, 23), 0, "over").id());
        assertThat(DELETE.id())
                .isNotEqualTo(new DeleteCluster(ORDERS, new EtcdId(32), 3, new EtcdVersion(3, 5, 16), 0, "over").id());
    }

    /// Whoever let it go has not let it go once more, after somebody asked for it again.
    @Test
    void approvalOfOneDeletionDoesNotCoverTheNext() {
        var again = new DeleteCluster(ORDERS, new EtcdId(31), 3, new EtcdVersion(3, 5, 16), 1, "the team has moved");

        assertThat(again.id()).isNotEqualTo(DELETE.id());
        assertThat(again.target()).isEqualTo(DELETE.target() + " returns=1");
    }

    @Test
    void losesQuorumOnlyWhenMembersStop() {
        var three = new RingModel(new TreeSet<>(List.of(0, 1, 2)), new TreeSet<>(), 3, 3, 2);

        assertThat(new DeleteStep.StopMembers().during(three)).isEqualTo(RingModel.EMPTY.quorum());
        assertThat(new DeleteStep.CutClients().during(three)).isEqualTo(new Quorum(3, 3));
    }

    @Test
    void summaryNamesReasonAndRetainedObjects() {
        assertThat(DELETE.reason()).endsWith("asks to delete it: the team has moved");
        assertThat(DELETE.summary()).isEqualTo("delete the ring of 3 with cluster ID 1f and retain its volumes");
    }
}
