package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class OracleTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static Given given() {
        return Given.ring("demo", "orders");
    }

    private static Hands hands(Given given) {
        return new Hands(given.build(), REF);
    }

    private static List<Harm> harms(Hands hands) {
        return hands.world.oracle().breaches().stream().map(Oracle.Breach::harm).toList();
    }

    @Test
    void reportsNoHarmForProperGrowth() {
        var hands = hands(given());

        hands.join(3);
        hands.join(4);
        hands.world.tick(10);

        assertThat(hands.ring.voters()).containsExactly(0, 1, 2, 3, 4);
        assertThat(hands.ring.unsealed()).isEmpty();
        assertThat(harms(hands)).isEmpty();
        assertThat(hands.world.lostWrites()).isZero();
        assertThat(hands.ring.acknowledged()).isPositive();
    }

    @Test
    void clientsWriteOnlyOnceTheyAreLetInAndWhileThereIsQuorum() {
        var before = hands(given().inFounding(Stage.Found.SEALED));
        var without = hands(given().down(1, 2));
        long then = without.ring.acknowledged();

        before.world.tick(5);
        without.world.tick(5);

        assertThat(before.ring.hasQuorum()).isTrue();
        assertThat(before.ring.acknowledged()).isZero();
        assertThat(without.ring.acknowledged()).isEqualTo(then);
    }

    @Test
    void losesWritesWhenMajorityLosesVolumes() {
        // Three of five disks: no fault tolerance promises anything, and something is lost sooner or later.
        long lost = 0;
        for (int i = 0; i < 5 && lost == 0; i++) {
            var hands = hands(given().members(5));
            hands.world.tick(i);
            hands.faults.loseDisk(0);
            hands.faults.loseDisk(1);
            hands.faults.loseDisk(2);
            lost = hands.world.lostWrites();
        }

        assertThat(lost).isPositive();
    }

    @Test
    void losingAMinorityOfDisksLosesNothing() {
        for (int i = 0; i < 10; i++) {
            var hands = hands(given().members(5));
            hands.world.tick(i);
            hands.faults.loseDisk(i % 5);
            hands.faults.loseDisk((i + 2) % 5);
            hands.world.tick(5);

            assertThat(hands.world.lostWrites()).isZero();
            assertThat(hands.ring.hasQuorum()).isTrue();
        }
    }

    @Test
    void blamesTheVoterThatTookTheQuorum() {
        var hands = hands(given().members(1));

        hands.addVoter(1);

        assertThat(harms(hands)).containsExactly(Harm.QUORUM_LOST_BY_US);
    }

    @Test
    void blamesShrinkingBeforeRemoving() {
        var hands = hands(given());

        hands.scale(1);
        hands.world.tick();

        assertThat(harms(hands)).contains(Harm.QUORUM_LOST_BY_US);
    }

    @Test
    void blamesPromotingALearnerThatHasDiedSince() {
        var hands = hands(given().members(1).learner());
        hands.faults.stop(1);
        hands.world.tick();
        hands.read();

        hands.promote(1);

        assertThat(harms(hands)).containsExactly(Harm.QUORUM_LOST_BY_US);
    }

    @Test
    void blamesNoStepForFaultThatIsNotYetVisible() {
        var hands = hands(given().members(1).learner());
        var route = hands.route(0);
        hands.faults.killPod(1);

        hands.etcd.promote(route, hands.id(1), Hands.DEADLINE);

        assertThat(harms(hands)).isEmpty();
        assertThat(hands.world.oracle().mishaps()).hasSize(1);
    }

    @Test
    void blamesASecondVoterTakenDown() {
        var hands = hands(given().members(5).down(4));

        hands.kubernetes.deletePod(REF, 1, hands.pod(1).uid());

        assertThat(harms(hands)).containsExactly(Harm.TWO_DOWN_BY_US);
    }

    @Test
    void blamesTheBudgetForAnEvictionThatJoinsIn() {
        var hands = hands(given().members(5));
        hands.kubernetes.deletePod(REF, 1, hands.pod(1).uid());

        var evicted = hands.faults.evict(2);

        assertThat(evicted).isTrue();
        assertThat(harms(hands)).contains(Harm.TWO_DOWN_BY_US);
    }

    @Test
    void blamesABudgetThatCountsALearnerForAVoter() {
        var hands = hands(given().learner());

        // Four pods are ready, two must stay: the learner among them does not vote.
        hands.world.tick();
        assertThat(hands.faults.evict(1)).isTrue();
        assertThat(hands.faults.evict(2)).isTrue();

        assertThat(harms(hands)).contains(Harm.QUORUM_LOST_BY_US);
    }

    @Test
    void ignoresBudgetSetByHand() {
        var hands = hands(given().budgetByHand(0));

        hands.faults.evict(1);
        hands.faults.evict(2);

        assertThat(hands.ring.hasQuorum()).isFalse();
        assertThat(harms(hands)).isEmpty();
    }

    @Test
    void reportsAmnesiaOfUnsealedVoterAfterVolumeLoss() {
        var hands = hands(given());
        hands.config(2, hands.joining("first-2", 0, 1, 2));
        hands.world.tick(60);
        hands.faults.loseDisk(2);

        hands.world.tick(3);

        assertThat(harms(hands)).contains(Harm.AMNESIA);
    }

    @Test
    void reportsAmnesiaOfUnsealedFounderOnlyWithoutPeers() {
        var alone = hands(unsealedFounders());
        var among = hands(unsealedFounders());

        among.faults.loseDisk(2);
        among.world.tick(5);
        alone.faults.stop(0);
        alone.faults.stop(1);
        alone.faults.loseDisk(2);
        alone.world.tick(5);

        assertThat(among.ring.up()).containsExactly(0, 1);
        assertThat(harms(among)).isEmpty();
        assertThat(harms(alone)).containsExactly(Harm.AMNESIA);
    }

    /// Clients were let in before the members were sealed.
    private static Given unsealedFounders() {
        return given().inFounding(Stage.Found.RECORDED).byHand(f -> f.restore(ManagedObject.CLIENT_SERVICE));
    }

    @Test
    void amnesiaLosesWritesOnceAnEmptyVoterDecides() {
        long lost = 0;
        for (int i = 0; i < 6 && lost == 0; i++) {
            var hands = hands(given());
            for (int o = 1; o < 3; o++) {
                hands.config(o, hands.joining("first-" + o, 0, 1, 2));
            }
            hands.world.tick(60 + i);
            hands.faults.loseDisk(2);
            hands.faults.stop(0);
            hands.world.tick(2);
            lost = hands.world.lostWrites();
        }

        assertThat(lost).isPositive();
    }

    @Test
    void creatingRingOverExistingOneLosesWrites() {
        var hands = hands(given().claimsLeft());

        assertThat(hands.world.lostWrites()).isZero();
        assertThat(hands.ring.claims()).containsExactly(0, 1, 2);
        assertThat(hands.read().journal().optional()).contains(java.util.Optional.empty());
    }

    @Test
    void touchingAForeignMemberIsSeen() {
        var hands = hands(given().foreignMember("http://10.9.9.9:2380"));
        var foreign = hands.probe(0).members().stream()
                .filter(m -> m.ordinal(REF).isEmpty())
                .findFirst()
                .orElseThrow();

        hands.etcd.removeMember(hands.route(0), foreign.id(), Hands.DEADLINE);

        assertThat(harms(hands)).containsExactly(Harm.FOREIGN_TOUCHED);
    }

    @Test
    void touchingAForeignStatefulSetIsSeenAndRefused() {
        var hands = hands(given().byHand(Faults::takeOverStatefulSet));

        assertThatThrownBy(() -> hands.scale(4)).isInstanceOf(GatewayException.class);
        assertThat(harms(hands)).containsExactly(Harm.FOREIGN_TOUCHED);
    }

    @Test
    void actingWhileAMembersHealthIsUnknownIsSeen() {
        var hands = hands(given().hidden(2));
        assertThatThrownBy(() -> hands.probe(2)).isInstanceOf(GatewayException.class);

        hands.addLearner(3);

        assertThat(harms(hands)).containsExactly(Harm.UNKNOWN_ACTED_UPON);
    }

    @Test
    void actingOnDownMemberIsNotActingOnUnknown() {
        var hands = hands(given().down(2));
        assertThatThrownBy(() -> hands.probe(2)).isInstanceOf(GatewayException.class);

        hands.remove(2);

        assertThat(harms(hands)).isEmpty();
    }

    @Test
    void actingOnAnUnreadObjectIsSeen() {
        var hands = hands(given());
        var set = hands.statefulSet();
        hands.faults.unreadable(Part.JOURNAL);
        hands.read();

        hands.kubernetes.setReplicas(REF, set, 4, 5);

        assertThat(harms(hands)).containsExactly(Harm.UNKNOWN_ACTED_UPON);
    }

    @Test
    void creatingOnTheWordOfAListIsSeen() {
        var hands = new Hands(Given.absent("demo", "orders").build(), REF);
        hands.kubernetes.list();

        hands.kubernetes.createStatefulSet(hands.objects(2), 3);

        assertThat(harms(hands)).containsExactly(Harm.UNKNOWN_ACTED_UPON);
    }
}
