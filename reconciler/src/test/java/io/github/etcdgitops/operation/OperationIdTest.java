package io.github.etcdgitops.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.FeatureGate;
import io.github.etcdgitops.spec.Maintenance;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.step.ReplaceStep.GivenUp;
import io.github.etcdgitops.step.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Approvals name these ids, so they must depend on ring, kind and target and on nothing else, and must
/// be the same in the next version.
class OperationIdTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    @Test
    void idsAreTheSameInEveryVersion() {
        assertThat(new ScaleIn(ORDERS, 2, false).id()).isEqualTo(sha("demo/orders\nScaleIn\nmembers=2"));
        assertThat(new ScaleOut(ORDERS, 3, true).id()).isEqualTo(sha("demo/orders\nScaleOut\nmembers=4"));
        assertThat(new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE).id())
                .isEqualTo(sha("demo/orders\nBootstrapCluster\nfounded members=3 version=3.5.16"));
    }

    @Test
    void idsOfRollsAreTheSameInEveryVersion() {
        var target = new Journal.Applied(
                new EtcdVersion(3, 5, 30), new TreeMap<>(Map.<String, Object>of("snapshotCount", 5000)));
        var roll = new Roll(3, 3, target, target, Duration.ofSeconds(30));
        assertThat(new UpgradeVersion(ORDERS, roll, 0).id())
                .isEqualTo(sha("demo/orders\nUpgradeVersion\nversion=3.5.30 image= attempt=0"));
        assertThat(new RollMembers(ORDERS, roll, "container.image=0123", List.of(), 2, List.of()).id())
                .isEqualTo(sha("demo/orders\nRollMembers\noptions={snapshotCount=5000}"
                        + " template=container.image=0123 attempt=2"));
        var gated = new Journal.Applied(
                target.version(),
                target.options(),
                target.image(),
                target.transport(),
                Authorities.FIRST,
                new TreeSet<>(List.of(FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG, FeatureGate.COMPACT_HASH_CHECK)));
        var change = new FeatureChange(FeatureGate.COMPACT_HASH_CHECK, true, "true, from etcd-gitops.yaml:7 (fleet)");
        var on = new Roll(3, 3, target, gated, Duration.ZERO);
        assertThat(new RollMembers(ORDERS, on, "container.image=0123", List.of(), 0, List.of(change)).id())
                .isEqualTo(sha("demo/orders\nRollMembers\noptions={snapshotCount=5000}"
                        + " features=[CompactHashCheck, StopGRPCServiceOnDefrag]"
                        + " template=container.image=0123 attempt=0"))
                .isEqualTo(new RollMembers(ORDERS, on, "container.image=0123", List.of(), 0, List.of()).id());
    }

    @Test
    void idsOfMaintenanceAreTheSameInEveryVersion() {
        var when = new Maintenance.Defragment(50, 1 << 20);
        assertThat(new MaintainMember(ORDERS, 2, new EtcdId(0x2f), 3, when).id())
                .isEqualTo(sha("demo/orders\nMaintainMember\ndefragmented ordinal=2 member=2f"))
                .isEqualTo(new MaintainMember(ORDERS, 2, new EtcdId(0x2f), 5, new Maintenance.Defragment(20, 0)).id());
        assertThat(new FreeSpace(ORDERS, new EtcdId(0x1f), 3, List.of(1, 2, 0), 10_000, true).id())
                .isEqualTo(sha("demo/orders\nFreeSpace\nspace freed cluster=1f kept=10000"))
                .isEqualTo(new FreeSpace(ORDERS, new EtcdId(0x1f), 3, List.of(0, 2, 1), 10_000, false).id());
    }

    @Test
    void idsOfGrowthAreTheSameInEveryVersion() {
        var storage = new Storage("2Gi", Optional.of("fast"));
        var grow = new GrowStorage(ORDERS, "data", 3, storage, List.of(2, 1), List.of(), GrowStorage.Stage.FORMER);
        assertThat(grow.id()).isEqualTo(sha("demo/orders\nGrowStorage\nstorage=2Gi"));
        assertThat(new GrowStorage(ORDERS, "data", 3, storage, List.of(), List.of(), GrowStorage.Stage.GONE).id())
                .isEqualTo(grow.id());
        assertThat(new GrowStorage(ORDERS, "data", 3, storage, List.of(), List.of(1), GrowStorage.Stage.KEPT).id())
                .isEqualTo(sha("demo/orders\nGrowStorage\nstorage=2Gi restarting"));
    }

    @Test
    void idsOfAResetAreTheSameInEveryVersion() {
        var places = new TreeMap<>(Map.of(
                1, new Place(new GivenUp("uid-7", Intent.Why.LOST), Place.Standing.DOWN),
                3, new Place(new GivenUp("uid-9", Intent.Why.VOLUME_ASKED), Place.Standing.REMOVED)));
        assertThat(new ResetVolume(ORDERS, places, 5, true, Operation.Consent.NEEDED).id())
                .isEqualTo(sha("demo/orders\nResetVolume\nother claims than {1=uid-7, 3=uid-9}"));
    }

    @Test
    void idsOfAReplacementAreTheSameInEveryVersion() {
        var place = new Place(new GivenUp("uid-7", Intent.Why.MEMBER_ASKED), Place.Standing.DOWN);
        var lost = new Place(new GivenUp("uid-9", Intent.Why.LOST), Place.Standing.DOWN);
        var formers = new TreeMap<>(Map.of(1, new EtcdId(0x2f)));
        assertThat(new ReplaceMember(
                                ORDERS, new TreeMap<>(Map.of(1, place)), formers, 3, true, Operation.Consent.BY_RISK)
                        .id())
                .isEqualTo(sha("demo/orders\nReplaceMember\nother members than {1=2f}"));
        assertThat(new ReplaceMember(
                                ORDERS,
                                new TreeMap<>(Map.of(1, place, 3, lost)),
                                formers,
                                5,
                                false,
                                Operation.Consent.GIVEN)
                        .id())
                .isEqualTo(
                        sha("demo/orders\nReplaceMember\nother members than {1=2f} and other claims than {3=uid-9}"));
    }

    @Test
    void idsOfARestartAreTheSameInEveryVersion() {
        assertThat(new RestartMember(ORDERS, 1, new EtcdId(0x2f), "uid-5", 2, 3).id())
                .isEqualTo(sha("demo/orders\nRestartMember\nanother pod than uid-5 ordinal=1 member=2f"));
    }

    @Test
    void idsOfWhatIsNotedOfAMachineAreTheSameInEveryVersion() {
        assertThat(new NoteMachine(ORDERS, 1, "uid-7", "node-7", true).id())
                .isEqualTo(sha("demo/orders\nNoteMachine\nmachine node-7 of claim uid-7 gone ordinal=1"));
        assertThat(new NoteMachine(ORDERS, 1, "uid-7", "node-7", false).id())
                .isEqualTo(sha("demo/orders\nNoteMachine\nmachine node-7 of claim uid-7 there ordinal=1"));
    }

    @Test
    void idsOfAReleaseAreTheSameInEveryVersion() {
        assertThat(new ReleasePod(ORDERS, 1, "uid-5", "node-7").id())
                .isEqualTo(sha("demo/orders\nReleasePod\nno pod uid-5 ordinal=1"));
    }

    @Test
    void idsOfADeletionAndAReturnAreTheSameInEveryVersion() {
        assertThat(DeleteClusterTest.DELETE.id())
                .isEqualTo(sha("demo/orders\nDeleteCluster\ndeleted clusterId=1f data=retained"));
        assertThat(DeleteAfterSnapshotTest.DELETE.id())
                .isEqualTo(sha("demo/orders\nDeleteAfterSnapshot\ndeleted clusterId=1f data=deleted after a snapshot by"
                        + " policy=nightly"));
        assertThat(DeleteVolumesTest.DELETE.id())
                .isEqualTo(sha("demo/orders\nDeleteVolumes\nvolumes deleted clusterId=1f claims=uid-a,uid-b,uid-c"));
        assertThat(ReturnClusterTest.back(ReturnCluster.Cause.DELETED).id())
                .isEqualTo(sha("demo/orders\nReturnCluster\nreturned clusterId=1f"));
    }

    @Test
    void idsOfARecoveryAndARestoreInPlaceAreTheSameInEveryVersion() {
        assertThat(new InspectVolume(ORDERS, new EtcdId(0x1f), 1, "uid-b", Optional.empty()).id())
                .isEqualTo(sha("demo/orders\nInspectVolume\nvolume inspected clusterId=1f claim=uid-b"));
        assertThat(new InspectVolume(
                                ORDERS,
                                new EtcdId(0x1f),
                                1,
                                "uid-b",
                                Optional.of(Instant.parse("2026-01-02T03:04:05Z")))
                        .id())
                .isEqualTo(sha("demo/orders\nInspectVolume\nvolume inspected clusterId=1f claim=uid-b"
                        + " after=2026-01-02T03:04:05Z"));
        assertThat(RecoverQuorumTest.recover(Exchange.Stage.ASKED, Map.of()).id())
                .isEqualTo(sha("demo/orders\nRecoverQuorum\nrecovered clusterId=1f from=file:///backups/orders.db"))
                .isEqualTo(RecoverQuorumTest.recover(Exchange.Stage.ENDED, Map.of())
                        .id());
        assertThat(RestoreInPlaceTest.back(Exchange.Stage.ASKED, true).id())
                .isEqualTo(sha("demo/orders\nRestoreInPlace\nrestored in place of clusterId=1f"
                        + " from=file:///backups/orders.db"));
    }

    @Test
    void idsOfATakingOverAreTheSameInEveryVersion() {
        assertThat(AdoptClusterTest.adopt(AdoptCluster.Stage.FOREIGN).id())
                .isEqualTo(sha("demo/orders\nAdoptCluster\nadopted cluster=1f members=3"));
        assertThat(new SettleAdoption(ORDERS, 3, Transport.PLAIN).id())
                .isEqualTo(sha("demo/orders\nSettleAdoption\nsettled members=3"));
    }

    private static String sha(String text) {
        try {
            var digest = java.security.MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return java.util.HexFormat.of().formatHex(digest).substring(0, 16);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whereItStartsFromDoesNotChangeTheId() {
        assertThat(new ScaleIn(ORDERS, 2, true).id()).isEqualTo(new ScaleIn(ORDERS, 2, false).id());
        assertThat(new ScaleOut(ORDERS, 2, true).id()).isEqualTo(new ScaleOut(ORDERS, 2, false).id());
        assertThat(AdoptClusterTest.adopt(AdoptCluster.Stage.ORPHANED).id())
                .isEqualTo(AdoptClusterTest.adopt(AdoptCluster.Stage.FOREIGN).id());
    }

    @Test
    void ringKindAndTargetEachChangeTheId() {
        var ids = Stream.of(
                        new ScaleIn(ORDERS, 2, false),
                        new ScaleIn(ORDERS, 3, false),
                        new ScaleOut(ORDERS, 1, true),
                        new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE),
                        new BootstrapCluster(ORDERS, 5, new EtcdVersion(3, 5, 16), Tls.NONE),
                        new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 30), Tls.NONE),
                        new ScaleIn(new ClusterRef("demo2", "orders"), 2, false),
                        new ScaleIn(new ClusterRef("demo", "orders2"), 2, false))
                .map(Operation::id)
                .toList();

        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f]{16}"));
    }

    @Test
    void theIdIsInTheIntentThatTheJournalGets() {
        var operation = new ScaleIn(ORDERS, 2, false);

        assertThat(operation.steps().getFirst())
                .isInstanceOfSatisfying(
                        Step.Begin.class, b -> assertThat(b.operationId()).isEqualTo(operation.id()));
    }

    static List<Operation> everyOperation() {
        return List.of(
                new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE),
                new ScaleOut(ORDERS, 3, true),
                new ScaleOut(ORDERS, 3, false),
                new ScaleIn(ORDERS, 3, false),
                AdoptClusterTest.adopt(AdoptCluster.Stage.FOREIGN),
                AdoptClusterTest.adopt(AdoptCluster.Stage.OURS),
                new SettleAdoption(ORDERS, 3, Transport.PLAIN),
                new RepairObjects(
                        ORDERS,
                        new TreeSet<>(Set.of(ManagedObject.BUDGET)),
                        new TreeSet<>(Set.of(1)),
                        Optional.of(3),
                        Optional.of(2)));
    }

    @ParameterizedTest
    @MethodSource("everyOperation")
    void everyOperationSpeaksToPeople(Operation operation) {
        assertThat(operation.summary()).isNotBlank();
        assertThat(operation.reason()).isNotBlank();
        assertThat(operation.steps()).isNotEmpty();
        assertThat(operation.steps()).isEqualTo(operation.steps());
    }

    @Test
    void riskGrowsWithWhatIsLost() {
        assertThat(new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE).risk())
                .isEqualTo(Risk.LOW);
        assertThat(new ScaleOut(ORDERS, 3, true).risk()).isEqualTo(Risk.LOW);
        assertThat(new ScaleOut(ORDERS, 1, true).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleOut(ORDERS, 3, false).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleIn(ORDERS, 4, false).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleIn(ORDERS, 2, false).risk()).isEqualTo(Risk.HIGH);
        assertThat(new ScaleIn(ORDERS, 1, false).risk()).isEqualTo(Risk.HIGH);
    }
}
