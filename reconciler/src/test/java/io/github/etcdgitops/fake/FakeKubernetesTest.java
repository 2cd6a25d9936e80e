package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.ObjectDrift;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FakeKubernetesTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static Given given() {
        return Given.ring("demo", "orders");
    }

    private static Hands hands(Given given) {
        return new Hands(given.build(), REF);
    }

    private static Kind kind(Runnable call) {
        return catchThrowableOfType(GatewayException.class, call::run).kind();
    }

    @Test
    void readingByNameProvesAbsenceAndListingDoesNot() {
        var absent = new Hands(Given.absent("demo", "orders").build(), REF);
        var present = hands(given());

        var nothing = absent.read();
        var listed = present.kubernetes.list().get(REF);

        assertThat(nothing.objects().confirmed()).isTrue();
        assertThat(nothing.statefulSet().optional()).contains(Optional.empty());
        assertThat(nothing.claims().optional()).contains(new TreeMap<>());
        assertThat(absent.kubernetes.list()).isEmpty();
        assertThat(listed.objects().confirmed()).isFalse();
        assertThat(listed.claims().optional().orElseThrow()).hasSize(3);
    }

    @Test
    void findsForeignClaimOnlyByName() {
        var hands = hands(given().byHand(f -> f.takeOverClaim(1)));

        assertThat(hands.read().claims().optional().orElseThrow().get(1).ours()).isFalse();
        assertThat(hands.kubernetes.list().get(REF).claims().optional().orElseThrow())
                .containsOnlyKeys(0, 2);
    }

    @Test
    void readsUnreadablePartAsUnknown() {
        var hands = hands(given().unknown(Part.PODS));

        var state = hands.read();
        hands.world.apiDown();
        var down = hands.read();

        assertThat(state.pods().optional()).isEmpty();
        assertThat(state.statefulSet().optional()).isPresent();
        assertThat(state.objects().confirmed()).isFalse();
        assertThat(down.statefulSet().optional()).isEmpty();
        assertThat(kind(hands.kubernetes::list)).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void refusesWriteWithStaleVersion() {
        var hands = hands(given());
        var old = hands.statefulSet();
        var journal = hands.read().journal().optional().orElseThrow().orElseThrow();
        hands.scale(3);
        hands.kubernetes.writeJournal(REF, journal.journal(), Optional.of(journal.resourceVersion()));

        assertThat(kind(() -> hands.kubernetes.setReplicas(REF, old, 4, 9))).isEqualTo(Kind.CONFLICT);
        assertThat(kind(() ->
                        hands.kubernetes.writeJournal(REF, journal.journal(), Optional.of(journal.resourceVersion()))))
                .isEqualTo(Kind.CONFLICT);
        assertThat(kind(() -> hands.kubernetes.writeJournal(REF, journal.journal(), Optional.empty())))
                .isEqualTo(Kind.CONFLICT);
        assertThat(kind(() -> hands.kubernetes.createStatefulSet(hands.objects(2), 3)))
                .isEqualTo(Kind.CONFLICT);
    }

    @Test
    void changesVersionOnControllerStatusWrites() {
        var hands = hands(given());
        var before = hands.statefulSet();

        hands.faults.killPod(1);
        hands.faults.stop(1);
        hands.world.tick();

        assertThat(hands.statefulSet().resourceVersion()).isNotEqualTo(before.resourceVersion());
    }

    @Test
    void tellsRunThatItsLeaseWasTaken() {
        var hands = hands(given());
        hands.scale(3);

        assertThat(kind(() -> hands.kubernetes.setReplicas(REF, hands.statefulSet(), 4, 4)))
                .isEqualTo(Kind.CONFLICT);
    }

    @Test
    void refusesForeignObject() {
        var hands = hands(given().byHand(f -> f.takeOver(ManagedObject.CLIENT_SERVICE)));

        assertThat(kind(() -> hands.kubernetes.apply(ManagedObject.CLIENT_SERVICE, hands.objects(2))))
                .isEqualTo(Kind.REJECTED);
    }

    @Test
    void podsAreTouchedOnlyUnderTheUidThatWasRead() {
        var hands = hands(given());
        var uid = hands.pod(1).uid();
        hands.kubernetes.deletePod(REF, 1, uid);
        hands.world.tick(3);

        assertThat(hands.pod(1).uid()).isNotEqualTo(uid);
        assertThat(hands.pod(1).serves()).isTrue();
        assertThat(kind(() -> hands.kubernetes.deletePod(REF, 1, uid))).isEqualTo(Kind.CONFLICT);
        assertThat(hands.kubernetes.podMayRun("demo", "orders-1", uid)).isFalse();
        assertThat(hands.kubernetes.podMayRun("demo", "orders-1", hands.pod(1).uid()))
                .isTrue();
    }

    @Test
    void shrinkingEndsPodsAndKeepsTheirClaims() {
        var hands = hands(given());
        hands.remove(2);
        hands.scale(2);

        hands.world.tick(2);

        assertThat(hands.ring.pods()).containsExactly(0, 1);
        assertThat(hands.ring.claims()).containsExactly(0, 1, 2);
    }

    @Test
    void reusesRetainedClaim() {
        var hands = hands(given().inLeave(Stage.Leave.BUDGETED));
        var uid = hands.read().claims().optional().orElseThrow().get(2).uid();

        hands.scale(3);
        hands.world.tick(2);

        assertThat(hands.read().claims().optional().orElseThrow().get(2).uid()).isEqualTo(uid);
        assertThat(hands.ring.releasedClaims()).containsExactly(2);
    }

    @Test
    void belowThePartitionAPodComesBackAtItsOldRevision() {
        var hands = hands(given().byHand(f -> f.templateByHand(new EtcdVersion(3, 5, 30))));
        hands.faults.deletePod(1);
        hands.world.tick(5);

        assertThat(hands.probe(1).status().version()).isEqualTo(new EtcdVersion(3, 5, 16));
        assertThat(hands.statefulSet().rollout().inProgress()).isTrue();
    }

    @Test
    void fromThePartitionUpwardsPodsAreReplacedOneAtATime() {
        var hands = hands(given().byHand(f -> f.templateByHand(new EtcdVersion(3, 5, 30))));
        hands.faults.partitionByHand(1);
        hands.world.tick();
        var first = hands.ring.readyPods();
        hands.world.tick(20);

        assertThat(first).containsExactly(0, 1);
        assertThat(hands.probe(0).status().version()).isEqualTo(new EtcdVersion(3, 5, 16));
        assertThat(hands.probe(1).status().version()).isEqualTo(new EtcdVersion(3, 5, 30));
        hands.faults.partitionByHand(0);
        hands.world.tick(20);
        assertThat(hands.statefulSet().rollout().inProgress()).isFalse();
    }

    @Test
    void settlesBudgetOneTickLaterAndThenBlocksEviction() {
        var hands = hands(given());

        hands.kubernetes.apply(ManagedObject.BUDGET, hands.objects(3));
        var early = hands.read().budget().optional().orElseThrow().orElseThrow();
        hands.world.tick();
        var late = hands.read().budget().optional().orElseThrow().orElseThrow();

        assertThat(early.settled()).isFalse();
        assertThat(late.settled()).isTrue();
        assertThat(late.disruptionsAllowed()).isZero();
        assertThat(hands.faults.evict(1)).isFalse();
    }

    @Test
    void evictionsStopWhereTheBudgetSays() {
        var hands = hands(given());

        assertThat(hands.faults.evict(1)).isTrue();
        assertThat(hands.faults.evict(2)).isFalse();
        hands.world.tick(10);
        assertThat(hands.faults.evict(2)).isTrue();
    }

    @Test
    void startsNoMemberWithoutConfigFile() {
        var hands = hands(given());
        hands.scale(4);

        hands.world.tick(5);

        assertThat(hands.ring.pods()).contains(3);
        assertThat(hands.ring.readyPods()).doesNotContain(3);
    }

    @Test
    void refreshesMountedFileAtOnceOnlyForMarkedPod() {
        var hands = hands(given());
        hands.scale(4);
        hands.world.tick(2);
        hands.addLearner(3);
        hands.config(3, hands.joining("new", 0, 1, 2, 3));

        hands.world.tick(5);
        assertThat(hands.ring.up()).doesNotContain(3);
        hands.kubernetes.markPod(
                REF, 3, hands.pod(3).uid(), new TreeMap<>(), new TreeMap<>(Map.of(Labels.CONFIG_SEEN, "1")));
        hands.world.tick();
        assertThat(hands.ring.up()).contains(3);
    }

    @Test
    void staleMountHidesNewFileFromPod() {
        var hands = hands(given());
        hands.addLearner(3);
        hands.scale(4);
        hands.faults.staleMounts();
        hands.config(3, hands.joining("new", 0, 1, 2, 3));

        hands.world.tick(10);

        assertThat(hands.ring.up()).doesNotContain(3);
    }

    @Test
    void driftNamesWhatIsMissingAndWhatDiffers() {
        var hands = hands(given().without(ManagedObject.CONNECTION)
                .budgetByHand(1)
                .byHand(f -> f.change(ManagedObject.PEER_SERVICE, Map.of("of others", "is left alone"))));

        var drift = hands.kubernetes.drift(hands.read(), hands.objects(2));

        assertThat(drift)
                .containsExactly(
                        new ObjectDrift(ManagedObject.CONNECTION, List.of()),
                        new ObjectDrift(ManagedObject.BUDGET, List.of("/minAvailable")));
        hands.kubernetes.apply(ManagedObject.CONNECTION, hands.objects(2));
        hands.kubernetes.apply(ManagedObject.BUDGET, hands.objects(2));
        assertThat(hands.kubernetes.drift(hands.read(), hands.objects(2))).isEmpty();
    }

    @Test
    void ofTwoThatWantTheLeaseOneIsTold() {
        var hands = hands(given());
        var lease = new LeaseState(Optional.of("run-1"), hands.world.instant(), 60, 1, Optional.empty());
        var version = hands.kubernetes.writeLease(REF, lease, Optional.empty());

        assertThat(kind(() -> hands.kubernetes.writeLease(REF, lease, Optional.empty())))
                .isEqualTo(Kind.CONFLICT);
        assertThat(hands.kubernetes.writeLease(REF, lease, Optional.of(version)))
                .isNotEqualTo(version);
        assertThat(hands.kubernetes.readLease(REF).orElseThrow().holder()).contains("run-1");
    }

    @Test
    void stopSignsAreShown() {
        var hands = hands(given().byHand(f -> f.suspend("storage work")));
        hands.world.suspendNamespace("etcd-gitops", "frozen");

        assertThat(hands.statefulSet().suspended()).contains("storage work");
        assertThat(hands.kubernetes.namespaceSuspension("etcd-gitops")).contains("frozen");
        assertThat(hands.kubernetes.namespaceSuspension("other")).isEmpty();
    }

    @Test
    void removesOneMemberConfigAndKeepsOthers() {
        var hands = hands(given());

        hands.kubernetes.writeMemberConfig(hands.objects(2), 1, Optional.empty());

        assertThat(hands.ring.configs()).containsOnlyKeys(0, 2);
        assertThat(hands.ring.configs().values()).allMatch(MemberConfig::sealed);
    }
}
