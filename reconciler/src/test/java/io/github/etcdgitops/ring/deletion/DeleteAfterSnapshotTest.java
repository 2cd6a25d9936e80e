package io.github.etcdgitops.ring.deletion;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.deletion.DeleteAfterSnapshot.Last;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeleteAfterSnapshotTest {
    static final DeleteAfterSnapshot DELETE = of("nightly", false, 0);

    private static DeleteAfterSnapshot of(String policy, boolean taken, int returns) {
        var order = new BackupOrder(
                "prod",
                policy,
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(true, Optional.empty(), Optional.empty()),
                StoredBackup.LAST);
        return new DeleteAfterSnapshot(
                ORDERS,
                new EtcdId(31),
                DeleteVolumesTest.CLAIMS,
                new EtcdVersion(3, 5, 16),
                returns,
                new Last(order, taken),
                "the team has moved");
    }

    @Test
    void cutsOffClientsAfterSnapshotAndDeletesVolumesAfterSecondCheck() {
        assertThat(StepOrder.names(DELETE))
                .containsExactly(
                        "BeginDeletion",
                        "AwaitQuiet",
                        "SaveSnapshot",
                        "CertifyBackup",
                        "ProveSnapshot",
                        "CutClients",
                        "CompareMembers",
                        "StopMembers",
                        "AwaitStopped",
                        "KeepVolumes",
                        "RemoveStatefulSet",
                        "RemoveObjects",
                        "ConfirmSnapshot",
                        "BeginPurge",
                        "DeleteClaims",
                        "AwaitClaimsGone",
                        "FinishPurge");
    }

    /// Nothing was written since: another one would say the same.
    @Test
    void confirmsExistingSnapshotInsteadOfTakingAnother() {
        var carriedOn = of("nightly", true, 0);

        assertThat(StepOrder.names(carriedOn)).doesNotContain("AwaitQuiet", "SaveSnapshot", "ProveSnapshot");
        assertThat(StepOrder.first(carriedOn, SnapshotStep.ConfirmSnapshot.class))
                .isLessThan(StepOrder.first(carriedOn, PurgeStep.DeleteClaims.class));
        assertThat(carriedOn.id()).isEqualTo(DELETE.id());
    }

    @Test
    void needsApproval() {
        assertThat(DELETE.risk()).isEqualTo(Risk.DESTRUCTIVE);
        assertThat(DELETE.consent()).isEqualTo(Consent.BY_RISK);
        assertThat(DELETE.needsBackup()).isFalse();
        assertThat(DELETE.steps())
                .filteredOn(step -> step instanceof SnapshotStep.AwaitQuiet
                        || step instanceof SnapshotStep.ProveSnapshot
                        || step instanceof DeleteStep.StopMembers)
                .hasSize(3)
                .allMatch(step -> step.gate() == Step.Gate.GREEN);
    }

    /// An approval is for where the snapshot goes as well.
    @Test
    void idNamesRingTimeAndDestination() {
        assertThat(DELETE.id()).isNotEqualTo(of("weekly", false, 0).id());
        assertThat(DELETE.id()).isNotEqualTo(of("nightly", false, 1).id());
        assertThat(DELETE.id()).isNotEqualTo(DeleteClusterTest.DELETE.id());
    }

    @Test
    void namesDeletedAndRetainedObjects() {
        assertThat(DELETE.summary())
                .startsWith("delete the ring of 3 with cluster ID 1f and its volumes, after a last snapshot to ");
        assertThat(DELETE.reason()).endsWith("asks to delete it with its data: the team has moved");
    }
}
