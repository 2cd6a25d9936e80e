package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.member.Alarm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FakeEtcdTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static Given given() {
        return Given.ring("demo", "orders");
    }

    private static Hands hands(Given given) {
        return new Hands(given.build(), REF);
    }

    private static GatewayException refused(Runnable call) {
        return catchThrowableOfType(GatewayException.class, call::run);
    }

    private static Kind kind(Runnable call) {
        return refused(call).kind();
    }

    @Test
    void everyMemberShowsTheSameRing() {
        var hands = hands(given().leader(1));

        var view = hands.probe(2);

        assertThat(view.clusterId()).isEqualTo(hands.probe(0).clusterId());
        assertThat(view.self()).isEqualTo(hands.id(2));
        assertThat(view.status().leader()).contains(hands.id(1));
        assertThat(view.members()).hasSize(3).allMatch(m -> m.started() && !m.learner());
        assertThat(view.members()).filteredOn(m -> m.answers()).hasSize(1);
        assertThat(view.members()).allMatch(m -> m.ordinal(REF).isPresent());
    }

    @Test
    void promotesLearnerOnlyOnceItHasCaughtUp() {
        var hands = hands(given());

        hands.addLearner(3);
        var before = hands.promote(3);
        hands.config(3, hands.joining("new", 0, 1, 2, 3));
        hands.scale(4);
        hands.world.tick(3);

        assertThat(before).isFalse();
        assertThat(hands.promote(3)).isFalse();
        hands.world.tick(4);
        assertThat(hands.promote(3)).isTrue();
        assertThat(hands.ring.voters()).containsExactly(0, 1, 2, 3);
        assertThat(kind(() -> hands.promote(3))).isEqualTo(Kind.CONFLICT);
    }

    @Test
    void learnerReturnsNoMemberListAndRejectsChanges() {
        var hands = hands(given().learner());

        assertThat(hands.probe(3).members()).isEmpty();
        assertThat(kind(() -> hands.etcd.removeMember(hands.route(3), hands.id(1), Hands.DEADLINE)))
                .isEqualTo(Kind.REJECTED);
    }

    @Test
    void refusesASecondLearner() {
        var hands = hands(given().learner());

        assertThat(kind(() -> hands.addLearner(4))).isEqualTo(Kind.REJECTED);
    }

    @Test
    void refusesALearnerBefore34() {
        var hands = hands(given().version("3.3.25"));

        assertThat(kind(() -> hands.addLearner(3))).isEqualTo(Kind.REJECTED);
        assertThat(hands.ring.learners()).isEmpty();
    }

    @Test
    void newerEndpointOnOldRingAddsVoterInsteadOfLearner() {
        var hands = hands(given().version("3.3.25").memberVersion(0, "3.4.23"));

        hands.addLearner(3);

        assertThat(hands.ring.voters()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void refusesDuplicatePeerUrl() {
        var hands = hands(given());

        assertThat(kind(() -> hands.addVoter(1))).isEqualTo(Kind.CONFLICT);
    }

    @Test
    void refusesToAddLearnersTooWhileAVoterIsDown() {
        var hands = hands(given().down(2));

        assertThat(kind(() -> hands.addLearner(3))).isEqualTo(Kind.REJECTED);
        assertThat(kind(() -> hands.addVoter(3))).isEqualTo(Kind.REJECTED);
    }

    @Test
    void refusesToAddUntilARestartedVoterHasBeenConnectedForAWhile() {
        var hands = hands(given());
        hands.faults.killPod(2);
        hands.world.tick(2);

        var early = kind(() -> hands.addLearner(3));
        hands.world.tick(FakeCluster.CONNECTED_AFTER);

        assertThat(early).isEqualTo(Kind.REJECTED);
        assertThat(hands.addLearner(3)).isNotNull();
    }

    @Test
    void refusesAVoterWhenTooFewHaveStarted() {
        var hands = hands(given().members(1));
        hands.addVoter(1);

        // The ring of one that became two has lost its quorum: nothing can be changed any more.
        assertThat(hands.ring.hasQuorum()).isFalse();
        assertThat(kind(() -> hands.addVoter(2))).isEqualTo(Kind.TIMEOUT);
    }

    @Test
    void refusesToRemoveAHealthyMemberWhileAnotherIsDownAndAllowsTheDeadOne() {
        var hands = hands(given().down(2));

        assertThat(kind(() -> hands.remove(1))).isEqualTo(Kind.REJECTED);
        hands.remove(2);
        assertThat(hands.ring.voters()).containsExactly(0, 1);
    }

    @Test
    void refusesToRemoveWhenTheRestHasNotStarted() {
        var hands = hands(given().members(2));
        hands.addVoter(2);

        assertThat(kind(() -> hands.remove(1))).isEqualTo(Kind.REJECTED);
    }

    @Test
    void removingAStrangerIsNotFound() {
        var hands = hands(given());

        assertThat(kind(() -> hands.etcd.removeMember(hands.route(0), FakeWorld.idOf("nobody"), Hands.DEADLINE)))
                .isEqualTo(Kind.NOT_FOUND);
    }

    @Test
    void withoutQuorumChangesTimeOutAndTheSurvivorStillAnswers() {
        var hands = hands(given().down(1, 2));

        var failure = refused(() -> hands.remove(2));

        assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(failure.mayHaveHappened()).isTrue();
        assertThat(hands.probe(0).status().leader()).isEmpty();
        assertThat(hands.probe(0).members()).hasSize(3);
    }

    @Test
    void leadershipMovesOnlyWhenTheLeaderIsAskedAndStays() {
        var hands = hands(given());

        assertThat(kind(() -> hands.etcd.moveLeader(hands.route(1), hands.id(2), Hands.DEADLINE)))
                .isEqualTo(Kind.REJECTED);
        hands.etcd.moveLeader(hands.route(0), hands.id(2), Hands.DEADLINE);
        hands.world.tick(20);
        assertThat(hands.ring.leader()).contains(2);
    }

    @Test
    void anotherVoterWithTheNewestEntriesLeadsWhenTheLeaderIsGone() {
        var hands = hands(given().members(5));
        hands.faults.stop(0);

        hands.world.tick();

        assertThat(hands.ring.leader()).isPresent().isNotEqualTo(java.util.Optional.of(0));
        assertThat(hands.world.lostWrites()).isZero();
    }

    @Test
    void removedMemberExitsAndStaysDown() {
        var hands = hands(given());
        hands.remove(2);

        hands.world.tick(5);

        assertThat(hands.ring.readyPods()).containsExactly(0, 1);
        assertThat(kind(() -> hands.probe(2))).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void sealedMemberStartsOnItsDataAndRefusesEmptyVolume() {
        var hands = hands(given());

        hands.faults.deletePod(1);
        hands.faults.loseDisk(2);
        hands.world.tick(10);

        assertThat(hands.ring.readyPods()).containsExactly(0, 1);
        assertThat(hands.world.oracle().breaches()).isEmpty();
    }

    @Test
    void joiningMemberRefusesWrongMemberList() {
        var hands = hands(given());
        hands.addLearner(3);
        hands.scale(4);

        hands.config(3, hands.joining("a", 0, 1, 3));
        hands.world.tick(70);
        assertThat(hands.ring.up()).doesNotContain(3);
        hands.config(3, hands.joining("a", 0, 1, 2, 3));
        hands.world.tick(70);
        assertThat(hands.ring.up()).contains(3);
    }

    @Test
    void foundersWithTheSameTokenAndPeersFormOneRing() {
        var world = Given.absent("demo", "orders").build();
        var hands = new Hands(world, REF);
        hands.read();
        found(hands, "t", 0, 1, 2);
        hands.kubernetes.createStatefulSet(hands.objects(2), 3);

        world.tick(4);

        assertThat(hands.ring.up()).containsExactly(0, 1, 2);
        assertThat(hands.ring.leader()).isPresent();
        assertThat(hands.ring.readyPods()).containsExactly(0, 1, 2);
        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void oldDataInAnotherDirectoryIsNotStarted() {
        var world = given().claimsLeft().build();
        var hands = new Hands(world, REF);
        hands.read();
        found(hands, "t2", 0, 1, 2);
        hands.kubernetes.createStatefulSet(hands.objects(2), 3);

        world.tick(4);

        assertThat(hands.ring.acknowledged()).isZero();
        assertThat(world.lostWrites()).isPositive();
    }

    @Test
    void oldDataOfARemovedMemberExitsAtOnce() {
        var hands = hands(given());
        hands.remove(2);
        hands.world.tick(FakeCluster.CONNECTED_AFTER);
        hands.addLearner(2);

        hands.config(2, hands.joining("first-2", 0, 1, 2));
        hands.world.tick(70);

        assertThat(hands.ring.learners()).containsExactly(2);
        assertThat(hands.ring.up()).containsExactly(0, 1);
    }

    @Test
    void frozenMemberTakesWholeDeadline() {
        var hands = hands(given().cutOff(1));
        long before = hands.world.ticks();

        var read = refused(() -> hands.probe(1));
        var change = refused(() -> hands.etcd.removeMember(hands.route(1), hands.id(2), Hands.DEADLINE));

        assertThat(read.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(read.mayHaveHappened()).isFalse();
        assertThat(change.mayHaveHappened()).isTrue();
        assertThat(hands.world.ticks() - before).isEqualTo(4);
    }

    private static void found(Hands hands, String token, int... ordinals) {
        var peers = new TreeMap<Integer, String>();
        for (int ordinal : ordinals) {
            peers.put(ordinal, hands.url(ordinal));
        }
        for (int ordinal : ordinals) {
            hands.config(ordinal, new MemberConfig.Founding("new-" + ordinal, token, peers));
        }
    }

    @Test
    void snapshotHoldsWhatTheRingHas() throws IOException {
        var hands = hands(given());
        hands.faults.put("b");
        hands.faults.put("a");
        hands.faults.put("a");

        var content = FakeSnapshot.read(snapshot(hands, 1));

        assertThat(content.revision()).isEqualTo(4);
        assertThat(content.keys()).containsExactly("a", "b");
        assertThat(snapshot(hands, 1)).isEqualTo(snapshot(hands, 2));
        assertThat(new FakeKeys(content).put("c")).isEqualTo(5);
    }

    @Test
    void corruptMemberShowsInItsHashAndItsSnapshot() throws IOException {
        var hands = hands(given());
        hands.faults.corrupt(2);

        var hashes = IntStream.range(0, 3)
                .mapToObj(o -> hands.etcd.hashKeys(hands.route(o), 0, Hands.DEADLINE))
                .toList();

        assertThat(hashes.get(0)).isEqualTo(hashes.get(1)).isNotEqualTo(hashes.get(2));
        assertThat(snapshot(hands, 0)).isNotEqualTo(snapshot(hands, 2));
    }

    private static byte[] snapshot(Hands hands, int ordinal) throws IOException {
        var bytes = new ByteArrayOutputStream();
        hands.etcd.snapshot(hands.route(ordinal), Hands.DEADLINE, piece -> {
            while (piece.hasRemaining()) {
                bytes.write(piece.get());
            }
        });
        return bytes.toByteArray();
    }

    /// As etcd does: the leader sends what is missing with its next heartbeat.
    @Test
    void returningMemberCatchesUpWithoutWrites() {
        var hands = hands(given());
        hands.world.faults(REF).cutOff(0);
        hands.world.tick(1100);
        hands.world.faults(REF).alarm(Alarm.Kind.NOSPACE, 1);
        hands.world.faults(REF).recover(0);

        hands.world.tick(3);

        assertThat(hands.probe(0).status().at().appliedIndex())
                .isEqualTo(hands.probe(1).status().at().appliedIndex())
                .isGreaterThan(2000);
    }
}
