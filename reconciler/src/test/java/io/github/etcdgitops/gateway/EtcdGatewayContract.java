package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.EtcdGateway.Answer;
import io.github.etcdgitops.gateway.EtcdGateway.Manner;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// What every [EtcdGateway] does, the real one and the fake alike. What only some versions of etcd do
/// is asked of those alone, by [RingUnderTest#version()].
public abstract class EtcdGatewayContract {
    private static final EtcdId NOBODY = new EtcdId(0x1234_5678_9abcL);

    /// A ring founded by so many voters, ordinals 0 and up, all of which serve clients. The caller
    /// closes it.
    protected abstract RingUnderTest found(int voters);

    @Test
    void probeShowsTheRingAsTheEndpointSeesIt() {
        try (var ring = found(3)) {
            var views = List.of(ring.probe(0), ring.probe(1), ring.probe(2));

            assertThat(views)
                    .extracting(EtcdGateway.View::clusterId)
                    .containsOnly(views.getFirst().clusterId());
            assertThat(views).extracting(EtcdGateway.View::self).doesNotHaveDuplicates();
            assertThat(views).extracting(view -> view.status().leader()).containsOnly(ring.leader());
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                assertShows(ring, ordinal, views.get(ordinal));
            }
        }
    }

    @Test
    void learnerIsAddedStartedAndPromotedWhenItHasCaughtUp() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            var learner = ring.addLearner(1);

            var listed = ring.member(learner).orElseThrow();
            assertThat(listed.learner()).isTrue();
            assertThat(listed.started()).isFalse();
            assertThat(listed.peerUrls()).containsExactly(ring.peerUrl(1));
            assertThat(listed.clientUrls()).isEmpty();
            assertThat(ring.promote(learner)).as("before it was started").isFalse();

            ring.startJoining(1, List.of(0, 1));
            ring.await(
                    "the learner to start",
                    () -> ring.member(learner).orElseThrow().started());
            ring.await("the learner to catch up", () -> ring.promote(learner));
            assertThat(ring.member(learner).orElseThrow().learner()).isFalse();
            // etcd looks at the lag before it looks whether the member is a voter already.
            ring.await("a second promotion to be refused", () -> !accepted(() -> ring.promote(learner)));
            assertThat(failure(() -> ring.promote(learner)).kind()).isEqualTo(Kind.CONFLICT);
        }
    }

    @Test
    void learnerTellsItsStatusAndNoMemberList() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            var learner = ring.addLearner(1);
            ring.startJoining(1, List.of(0, 1));
            ring.await("the learner to answer", () -> ring.answers(1));

            var view = ring.probe(1);

            assertThat(view.self()).isEqualTo(learner);
            assertThat(view.clusterId()).isEqualTo(ring.probe(0).clusterId());
            assertThat(view.status().version()).isEqualTo(ring.version());
            assertThat(view.members()).isEmpty();
        }
    }

    /// It takes part in no election, so nothing tells it. Voters know of none after a moment.
    @Test
    void learnerNamesALeaderThatIsGone() {
        try (var ring = found(3)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            ring.await("a learner to be added", () -> accepted(() -> ring.addLearner(3)));
            ring.startJoining(3, List.of(0, 1, 2, 3));
            ring.await(
                    "the learner to have a leader",
                    () -> ring.answers(3) && ring.probe(3).status().leader().isPresent());

            ring.kill(1);
            ring.kill(2);
            ring.await(
                    "a voter to know of no leader",
                    () -> ring.probe(0).status().leader().isEmpty());

            assertThat(ring.probe(3).status().leader()).isPresent();
        }
    }

    @Test
    void refusesALearnerBefore34InsteadOfAddingAVoter() {
        try (var ring = found(1)) {
            Assumptions.assumeFalse(ring.version().hasLearners(), "only before 3.4");

            var refused = failure(() -> ring.addLearner(1));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(ring.probe(0).members()).hasSize(1);
        }
    }

    @Test
    void refusesASecondLearnerWithWords() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            ring.addLearner(1);

            var refused = failure(() -> ring.addLearner(2));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(refused).hasMessageContaining("learner");
        }
    }

    @Test
    void samePeerUrlTwiceIsAConflict() {
        try (var ring = found(1)) {
            var refused = failure(() -> ring.addVoter(0));

            assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(ring.probe(0).members()).hasSize(1);
        }
    }

    /// etcd asks that all voters have been connected for five seconds, hence the waiting.
    @Test
    void votersComeAndGoAsFarAsEnoughAreStarted() {
        try (var ring = found(1)) {
            var started = ring.addVoter(1);
            ring.startJoining(1, List.of(0, 1));
            ring.await("the voter to answer", () -> ring.answers(1));
            ring.await("etcd to allow another", () -> accepted(() -> ring.addVoter(2)));
            var unstarted = ring.voterThatNeverStarted();

            var refused = failure(() -> ring.remove(started));
            ring.remove(unstarted);
            ring.remove(started);
            var again = failure(() -> ring.remove(started));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(again.kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(ring.probe(0).members())
                    .extracting(MemberState::peerUrls)
                    .containsExactly(List.of(ring.peerUrl(0)));
        }
    }

    @Test
    void removingAStrangerIsNotFound() {
        try (var ring = found(1)) {
            var refused = failure(() -> ring.remove(NOBODY));

            assertThat(refused.kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(refused.mayHaveHappened()).isFalse();
        }
    }

    @Test
    void refusesToGrowOrLoseAHealthyMemberWhileAVoterIsDown() {
        try (var ring = found(3)) {
            var healthy = ring.probe(1).self();
            var dead = ring.probe(2).self();
            ring.kill(2);
            ring.await(
                    "a leader among the others",
                    () -> ring.probe(0)
                            .status()
                            .leader()
                            .filter(l -> !l.equals(dead))
                            .isPresent());

            ring.await("etcd to notice", () -> !accepted(() -> ring.growAndUndo()));
            var grown = failure(() -> ring.growAndUndo());
            var removed = failure(() -> ring.remove(healthy));

            assertThat(List.of(grown, removed))
                    .extracting(GatewayException::kind)
                    .containsOnly(Kind.REJECTED);
            assertThat(List.of(grown, removed)).noneMatch(GatewayException::mayHaveHappened);
            assertThat(ring.probe(0).members()).hasSize(3);
            ring.remove(dead);
            assertThat(ring.member(dead)).isEmpty();
        }
    }

    @Test
    void leaderMovesOnlyWhenAskedItself() {
        try (var ring = found(3)) {
            int leader = ring.leaderOrdinal();
            int follower = (leader + 1) % 3;
            var target = ring.probe(follower).self();

            var refused =
                    failure(() -> ring.gateway().moveLeader(ring.route(follower), target, RingUnderTest.DEADLINE));
            ring.gateway().moveLeader(ring.route(leader), target, RingUnderTest.DEADLINE);

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            ring.await("all to follow", () -> ring.leader().equals(Optional.of(target)));
        }
    }

    @Test
    void withoutQuorumNothingChangesAndTheSurvivorStillAnswers() {
        try (var ring = found(2)) {
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());
            var shortTime = Duration.ofMillis(600);

            var added = failure(() -> ring.gateway().addVoter(ring.route(0), ring.peerUrl(2), shortTime));
            var removed = failure(() -> ring.gateway().removeMember(ring.route(0), NOBODY, shortTime));

            assertThat(List.of(added, removed))
                    .extracting(GatewayException::kind)
                    .isSubsetOf(Kind.REJECTED, Kind.TIMEOUT, Kind.NOT_FOUND);
            assertThat(List.of(added, removed)).allMatch(e -> e.kind() != Kind.TIMEOUT || e.mayHaveHappened());
            assertThat(ring.probe(0).members()).hasSize(2);

            ring.restart(1);
            ring.await(
                    "quorum to be back",
                    () -> ring.answers(1) && ring.probe(0).status().leader().isPresent());
        }
    }

    @Test
    void deadMemberIsUnreachableAndNothingHappened() {
        try (var ring = found(1)) {
            ring.kill(0);

            var probed = failure(() -> ring.probe(0));
            var changed = failure(() -> ring.remove(NOBODY));

            assertThat(List.of(probed, changed))
                    .extracting(GatewayException::kind)
                    .containsOnly(Kind.UNREACHABLE);
            assertThat(List.of(probed, changed)).noneMatch(GatewayException::mayHaveHappened);
        }
    }

    @Test
    void frozenMemberEndsWithinTheDeadlineAndAChangeMayHaveHappened() {
        try (var ring = found(1)) {
            ring.freeze(0);
            var limit = Duration.ofMillis(700);
            long start = System.nanoTime();

            var probed = failure(() -> ring.gateway().probe(ring.route(0), limit));
            var changed = failure(() -> ring.gateway().removeMember(ring.route(0), NOBODY, limit));

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThat(List.of(probed, changed))
                    .extracting(GatewayException::kind)
                    .containsOnly(Kind.TIMEOUT);
            assertThat(probed.mayHaveHappened()).isFalse();
            assertThat(changed.mayHaveHappened()).isTrue();
        }
    }

    @Test
    void snapshotIsProvenByItsTrailer() throws IOException {
        try (var ring = found(1)) {
            ring.put("a");

            var taken = ring.snapshot(0);

            assertThat(taken.fault()).isEmpty();
            assertThat(taken.size()).isGreaterThan(512);
            assertThat(taken.sha256()).matches("[0-9a-f]{64}");
        }
    }

    @Test
    void survivorGivesASnapshotAndItsKeysWithoutQuorum() throws IOException {
        try (var ring = found(2)) {
            ring.put("a");
            ring.await("the key at member 0", () -> ring.hash(0, 0).revision() == 2);
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());

            assertThat(ring.snapshot(0).fault()).isEmpty();
            assertThat(ring.count(0, 2)).isEqualTo(1);
            assertThat(ring.hash(0, 2).revision()).isEqualTo(2);
        }
    }

    @Test
    void learnerGivesASnapshotFrom35On() throws IOException {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            ring.addLearner(1);
            ring.startJoining(1, List.of(0, 1));
            ring.await("the learner to answer", () -> ring.answers(1));

            if (ring.version().atLeast(3, 5, 0)) {
                assertThat(ring.snapshot(1).fault()).isEmpty();
            } else {
                var refused = failure(() -> ring.snapshot(1));
                assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
                assertThat(refused).hasMessageContaining("learner");
            }
        }
    }

    @Test
    void sinkThatFailsEndsTheSnapshotAndIsHeard() throws IOException {
        try (var ring = found(1)) {
            var full = new IOException("no space left");
            var pieces = new AtomicInteger();

            var heard = catchThrowable(() -> ring.gateway().snapshot(ring.route(0), RingUnderTest.DEADLINE, _ -> {
                pieces.incrementAndGet();
                throw full;
            }));

            assertThat(heard).isSameAs(full);
            assertThat(pieces).hasValue(1);
            assertThat(ring.snapshot(0).fault()).isEmpty();
        }
    }

    @Test
    void membersAgreeOnTheHashOfARevision() {
        try (var ring = found(3)) {
            ring.put("a");
            ring.put("b");
            ring.await(
                    "all to have both",
                    () -> IntStream.range(0, 3).allMatch(o -> ring.hash(o, 0).revision() == 3));
            var before = ring.hash(0, 3);
            ring.put("c");

            assertThat(IntStream.range(0, 3).mapToObj(o -> ring.hash(o, 3))).containsOnly(before);
            assertThat(before.revision()).isEqualTo(3);
            assertThat(ring.hash(0, 2).hash()).isNotEqualTo(before.hash());
            ring.await("the third", () -> ring.hash(0, 0).revision() == 4);
            assertThat(ring.hash(0, 0).hash()).isNotEqualTo(before.hash()).isBetween(0L, 0xffff_ffffL);
        }
    }

    /// Whoever is asked: a write that was acknowledged is counted, however far the member itself has come.
    @Test
    void everyMemberListsTheRing() {
        try (var ring = found(3)) {
            for (int written = 1; written <= 5; written++) {
                ring.put("k" + written);
                for (int ordinal = 0; ordinal < 3; ordinal++) {
                    assertThat(ring.ringRevision(ordinal)).isEqualTo(written + 1L);
                }
            }
        }
    }

    @Test
    void readsRevisionWhileMemberIsFrozen() {
        try (var ring = found(3)) {
            ring.put("a");
            int frozen = ring.leaderOrdinal() == 1 ? 2 : 1;
            ring.freeze(frozen);
            ring.put("b");

            assertThat(ring.ringRevision(0)).isEqualTo(3);
            assertThat(ring.ringRevision(3 - frozen)).isEqualTo(3);
            assertThat(failure(() -> ring.gateway().revision(ring.route(frozen), Duration.ofMillis(600)))
                            .kind())
                    .isEqualTo(Kind.TIMEOUT);
        }
    }

    @Test
    void noMemberListsTheRingWithoutQuorum() {
        try (var ring = found(2)) {
            ring.put("a");
            ring.await("the key at member 0", () -> ring.revision(0) == 2);
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());

            var refused = failure(() -> ring.gateway().ringRevision(ring.route(0), Duration.ofMillis(600)));

            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(ring.revision(0)).isEqualTo(2);
        }
    }

    @Test
    void countsTheKeysThereWereAtARevision() {
        try (var ring = found(1)) {
            ring.put("a");
            ring.put("b");
            ring.put("a");

            assertThat(ring.count(0, 1)).isZero();
            assertThat(ring.count(0, 2)).isEqualTo(1);
            assertThat(ring.count(0, 4)).isEqualTo(2);
            assertThat(ring.count(0, 0)).isEqualTo(2);
        }
    }

    @Test
    void saysThatARevisionIsCompactedOrStillToCome() {
        try (var ring = found(1)) {
            List.of("a", "b", "c", "d").forEach(ring::put);
            assertThat(ring.hash(0, 5).compactRevision())
                    .as("nothing was ever compacted")
                    .isEqualTo(-1);
            ring.compact(4);

            var compacted = List.of(failure(() -> ring.hash(0, 2)), failure(() -> ring.count(0, 2)));
            var toCome = List.of(failure(() -> ring.hash(0, 9)), failure(() -> ring.count(0, 9)));

            assertThat(compacted)
                    .allMatch(e -> e.kind() == Kind.REJECTED && !e.mayHaveHappened())
                    .allMatch(e -> e.getMessage().contains("revision 2")
                            && e.getMessage().contains("is compacted"));
            assertThat(toCome)
                    .allMatch(e -> e.kind() == Kind.REJECTED && !e.mayHaveHappened())
                    .allMatch(e -> e.getMessage().contains("revision 9")
                            && e.getMessage().contains("does not have this revision yet"));
            assertThat(ring.hash(0, 5).compactRevision()).isEqualTo(4);
            assertThat(ring.count(0, 5)).isEqualTo(4);
        }
    }

    @Test
    void everyMemberKnowsTheLineOfTheRing() {
        try (var ring = found(3)) {
            var line = new EtcdVersion(ring.version().major(), ring.version().minor(), 0);
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                var route = ring.metrics(ordinal);
                ring.await("the members to agree", () -> {
                    try {
                        return ring.gateway()
                                .clusterVersion(route, RingUnderTest.DEADLINE)
                                .equals(line);
                    } catch (GatewayException _) {
                        return false;
                    }
                });
            }
        }
    }

    @Test
    void readsNothingFromDeadOrFrozenMember() {
        try (var ring = found(1)) {
            var limit = Duration.ofMillis(700);
            var route = ring.route(0);
            var metrics = ring.metrics(0);
            ring.freeze(0);
            var late = List.of(
                    failure(() -> ring.gateway().snapshot(route, limit, _ -> {})),
                    failure(() -> ring.gateway().hashKeys(route, 0, limit)),
                    failure(() -> ring.gateway().countKeys(route, 0, limit)),
                    failure(() -> ring.gateway().clusterVersion(metrics, limit)),
                    failure(() -> ring.gateway().connections(metrics, limit)),
                    failure(() -> ring.gateway().heard(metrics, limit)),
                    failure(() -> ring.gateway().knock(route, Manner.PLAIN, limit)));
            ring.kill(0);
            var dead = List.of(
                    failure(() -> ring.snapshot(0)),
                    failure(() -> ring.hash(0, 0)),
                    failure(() -> ring.count(0, 0)),
                    failure(() -> ring.gateway().clusterVersion(metrics, RingUnderTest.DEADLINE)),
                    failure(() -> ring.activePeers(0)));

            assertThat(late).allMatch(e -> e.kind() == Kind.TIMEOUT && !e.mayHaveHappened());
            assertThat(dead).allMatch(e -> e.kind() == Kind.UNREACHABLE && !e.mayHaveHappened());
        }
    }

    @Test
    void peerUrlsAreReplacedAllAtOnce() {
        try (var ring = found(3)) {
            var third = ring.probe(2).self();
            String second = ring.peerUrl(2).replace("http://", "https://").replaceAll("\\d+$", "4999");

            ring.updatePeerUrls(third, ring.peerUrl(2), second);
            var both = ring.member(third).orElseThrow().peerUrls();
            ring.updatePeerUrls(third, second);
            var one = ring.member(third).orElseThrow().peerUrls();
            var taken = failure(() -> ring.updatePeerUrls(third, ring.peerUrl(1)));
            var stranger = failure(() -> ring.updatePeerUrls(NOBODY, "http://127.0.0.1:4998"));

            assertThat(both).containsExactlyInAnyOrder(ring.peerUrl(2), second);
            assertThat(one).containsExactly(second);
            assertThat(taken.kind()).isEqualTo(Kind.CONFLICT);
            assertThat(stranger.kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(List.of(taken, stranger)).noneMatch(GatewayException::mayHaveHappened);
            assertThat(ring.member(third).orElseThrow().peerUrls()).isEqualTo(one);
        }
    }

    /// etcd would store it, and releases before 3.5 end when they read it.
    @Test
    void sendsNoMalformedPeerUrl() {
        try (var ring = found(1)) {
            var self = ring.probe(0).self();

            assertThat(catchThrowable(() -> ring.updatePeerUrls(self, ring.peerUrl(0) + "/path")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(catchThrowable(() -> ring.updatePeerUrls(self))).isInstanceOf(IllegalArgumentException.class);
            assertThat(ring.member(self).orElseThrow().peerUrls()).containsExactly(ring.peerUrl(0));
        }
    }

    @Test
    void membersReportPeersFrom34On() {
        try (var ring = found(3)) {
            var ids = IntStream.range(0, 3)
                    .mapToObj(ordinal -> ring.probe(ordinal).self())
                    .toList();
            if (!ring.version().atLeast(3, 4, 0)) {
                assertThat(ring.activePeers(0)).isEmpty();
                return;
            }

            ring.await(
                    "all to be connected",
                    () -> ring.activePeers(0).equals(Optional.of(Set.of(ids.get(1), ids.get(2))))
                            && ring.activePeers(1).equals(Optional.of(Set.of(ids.get(0), ids.get(2)))));
            ring.kill(2);
            ring.await(
                    "the others to notice",
                    () -> ring.activePeers(0).equals(Optional.of(Set.of(ids.get(1))))
                            && ring.activePeers(1).equals(Optional.of(Set.of(ids.get(0)))));
        }
    }

    /// etcd 3.5 goes on considering it connected.
    @Test
    void leaderHearsWhoFollowsAndNothingFromFrozenMember() {
        try (var ring = found(3)) {
            var ids = IntStream.range(0, 3)
                    .mapToObj(ordinal -> ring.probe(ordinal).self())
                    .toList();
            ring.await("a leader", () -> ring.probe(0).status().leader().isPresent());
            int leader = ids.indexOf(ring.probe(0).status().leader().orElseThrow());
            int frozen = (leader + 1) % 3;
            int other = (leader + 2) % 3;
            var started = ring.heard(leader);
            ring.await("both to be heard", () -> {
                var now = ring.heard(leader);
                return now.heardFrom(ids.get(frozen), started) && now.heardFrom(ids.get(other), started);
            });
            ring.freeze(frozen);
            // What was on its way has come when the other was heard twice.
            var onItsWay = ring.heard(leader);
            ring.await("what was on its way", () -> ring.heard(leader).heardFrom(ids.get(other), onItsWay));
            var before = ring.heard(leader);
            ring.await("the other", () -> ring.heard(leader).heardFrom(ids.get(other), before));

            var after = ring.heard(leader);
            assertThat(after.ledSince(before)).isTrue();
            assertThat(after.misses(ids.get(frozen), before)).isTrue();
            assertThat(after.misses(ids.get(other), before)).isFalse();
            if (ring.version().minor() == 5) {
                assertThat(ring.activePeers(leader).orElseThrow()).contains(ids.get(frozen));
            }
            assertThat(ring.heard(other).leads()).isFalse();
            assertThat(ring.heard(other).misses(ids.get(frozen), ring.heard(other)))
                    .isFalse();
        }
    }

    @Test
    void soleMemberReportsNoPeers() {
        try (var ring = found(1)) {
            assertThat(ring.activePeers(0))
                    .isEqualTo(ring.version().atLeast(3, 4, 0) ? Optional.of(Set.of()) : Optional.empty());
        }
    }

    @Test
    void reportsPlainMemberAsServingUntilItIsDown() {
        try (var ring = found(1)) {
            var route = ring.route(0);

            var up = ring.gateway().knock(route, Manner.PLAIN, RingUnderTest.DEADLINE);
            ring.kill(0);
            var down = ring.gateway().knock(route, Manner.PLAIN, RingUnderTest.DEADLINE);

            assertThat(up).isEqualTo(new Answer.Served(Optional.empty()));
            assertThat(down).isEqualTo(new Answer.Refused("connection refused"));
        }
    }

    @Test
    void historyIsForgottenInAllMembersAndEachIsWaitedForByItself() {
        try (var ring = found(3)) {
            List.of("a", "b", "a", "c").forEach(ring::put);
            ring.await("all to have them", () -> IntStream.range(0, 3).allMatch(o -> ring.revision(o) == 5));

            IntStream.range(0, 3).forEach(ordinal -> ring.compactAt(ordinal, 4));
            var again = catchThrowable(() -> ring.compactAt(0, 3));
            var toCome = failure(() -> ring.compactAt(0, 9));

            assertThat(again).as("it is forgotten already").isNull();
            assertThat(toCome.kind()).isEqualTo(Kind.REJECTED);
            assertThat(toCome.mayHaveHappened()).isFalse();
            assertThat(IntStream.range(0, 3).mapToObj(o -> ring.hash(o, 5).compactRevision()))
                    .containsOnly(4L);
            assertThat(ring.count(1, 5)).isEqualTo(3);
        }
    }

    @Test
    void defragmentedMemberHasTheSameDataInNoLargerAFile() {
        try (var ring = found(3)) {
            IntStream.range(0, 20).forEach(i -> ring.put("key" + i));
            ring.await("all to have them", () -> IntStream.range(0, 3).allMatch(o -> ring.revision(o) == 21));
            var before = ring.hash(1, 21);
            long size = ring.probe(1).status().dbSize();

            ring.gateway().defragment(ring.route(1), RingUnderTest.DEADLINE);

            assertThat(ring.hash(1, 21)).isEqualTo(before);
            assertThat(ring.probe(1).status().dbSize())
                    .as("but for a page or two: a file of which nothing is free may gain one")
                    .isLessThanOrEqualTo(size + 2 * 4096);
            assertThat(ring.probe(1).status().dbSizeInUse())
                    .isLessThanOrEqualTo(ring.probe(1).status().dbSize());
            assertThat(ring.probe(0).members()).hasSize(3);
        }
    }

    @Test
    void provesWriteWithoutWriting() {
        try (var ring = found(3)) {
            ring.put("a");
            ring.await("all to have it", () -> IntStream.range(0, 3).allMatch(o -> ring.revision(o) == 2));

            IntStream.range(0, 3).forEach(o -> ring.gateway().proveWrite(ring.route(o), RingUnderTest.DEADLINE));

            assertThat(IntStream.range(0, 3).mapToLong(ring::revision)).containsOnly(2L);
            assertThat(ring.count(0, 0)).isEqualTo(1);
        }
    }

    @Test
    void addsEntriesToTheLogAndNothingElse() {
        try (var ring = found(3)) {
            ring.put("a");
            ring.await("all to have it", () -> IntStream.range(0, 3).allMatch(o -> ring.revision(o) == 2));
            long before = ring.probe(0).status().appliedIndex();

            ring.gateway().writeNothing(ring.route(1), 2_000, Duration.ofMinutes(2));

            ring.await(
                    "all to apply them",
                    () -> IntStream.range(0, 3)
                            .allMatch(o -> ring.probe(o).status().appliedIndex() >= before + 2_000));
            assertThat(IntStream.range(0, 3).mapToLong(ring::revision)).containsOnly(2L);
            assertThat(ring.count(0, 0)).isEqualTo(1);
        }
    }

    @Test
    void withoutQuorumNoEntryIsAdded() {
        try (var ring = found(2)) {
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());

            var refused = failure(() -> ring.gateway().writeNothing(ring.route(0), 40, Duration.ofMillis(600)));

            assertThat(refused.kind()).isIn(Kind.REJECTED, Kind.TIMEOUT);
        }
    }

    @Test
    void keysOfTheV2ApiAreSeenBefore34Alone() {
        try (var ring = found(1)) {
            if (ring.version().hasLearners()) {
                assertThat(failure(() -> ring.gateway().hasV2Keys(ring.route(0), RingUnderTest.DEADLINE))
                                .kind())
                        .isEqualTo(Kind.REJECTED);
            } else {
                assertThat(ring.gateway().hasV2Keys(ring.route(0), RingUnderTest.DEADLINE))
                        .isFalse();
            }
        }
    }

    @Test
    void withoutQuorumNoWriteIsProvenAndNothingForgotten() {
        try (var ring = found(2)) {
            List.of("a", "b", "c").forEach(ring::put);
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());
            var shortTime = Duration.ofMillis(600);

            var proven = failure(() -> ring.gateway().proveWrite(ring.route(0), shortTime));
            var compacted = failure(() -> ring.gateway().compact(ring.route(0), 3, shortTime));

            assertThat(List.of(proven, compacted))
                    .extracting(GatewayException::kind)
                    .isSubsetOf(Kind.REJECTED, Kind.TIMEOUT);
            assertThat(ring.hash(0, 4).compactRevision()).isEqualTo(-1);
        }
    }

    @Test
    void disarmsAlarmThatIsNotRaised() {
        try (var ring = found(1)) {
            ring.gateway().disarmNoSpace(ring.route(0), ring.probe(0).self(), RingUnderTest.DEADLINE);
            ring.gateway().disarmNoSpace(ring.route(0), NOBODY, RingUnderTest.DEADLINE);
            ring.gateway().disarmCorrupt(ring.route(0), new EtcdId(0), RingUnderTest.DEADLINE);

            assertThat(ring.probe(0).alarms()).isEmpty();
        }
    }

    @Test
    void downgradeIsRefusedBefore36() {
        try (var ring = found(1)) {
            Assumptions.assumeFalse(ring.version().hasDowngrade(), "only before 3.6");

            var refused = failure(() -> ring.startDowngrade(1));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(ring.probe(0).status().storage()).isEqualTo(MemberState.Storage.UNTOLD);
        }
    }

    @Test
    void announcedDowngradeIsPreparedByEveryMember() {
        try (var ring = downgradable()) {
            var lower = lower(ring, 1);

            ring.startDowngrade(1);
            ring.await(
                    "every member to be prepared",
                    () -> IntStream.range(0, 3)
                            .mapToObj(ring::storage)
                            .allMatch(storage -> isTold(storage, lower, Optional.of(lower))));
            var again = failure(() -> ring.startDowngrade(1));
            ring.cancelDowngrade();
            ring.cancelDowngrade();

            assertThat(again.kind()).isEqualTo(Kind.REJECTED);
            assertThat(again.mayHaveHappened()).isFalse();
            ring.await(
                    "every member to be back",
                    () -> IntStream.range(0, 3)
                            .mapToObj(ring::storage)
                            .allMatch(storage -> isTold(storage, lower(ring, 0), Optional.empty())));
        }
    }

    private static boolean isTold(MemberState.Storage storage, EtcdVersion version, Optional<EtcdVersion> downgradeTo) {
        return storage.version().equals(Optional.of(version))
                && storage.downgradeTo().equals(downgradeTo);
    }

    /// Nothing is set in these rings, so it is all as etcd has it.
    @Test
    void membersTellTheirSettings() {
        try (var ring = found(1)) {
            var settings = ring.settings(0);
            boolean newer = ring.version().atLeast(3, 6, 0);

            assertThat(settings.quota()).contains(Space.quota(new TreeMap<>()));
            assertThat(ring.storage(0).quota()).isEqualTo(newer ? settings.quota() : Optional.empty());
            assertThat(settings.features())
                    .isEqualTo(
                            newer
                                    ? Map.of(
                                            FeatureGate.COMPACT_HASH_CHECK,
                                            false,
                                            FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG,
                                            false)
                                    : Map.of());
        }
    }

    @Test
    void secondDowngradeIsRefusedAtOnce() {
        try (var ring = downgradable()) {
            ring.startDowngrade(1);

            var again = failure(() -> ring.startDowngrade(1));

            assertThat(again.kind()).isEqualTo(Kind.REJECTED);
            assertThat(again.mayHaveHappened()).isFalse();
            assertThat(ring.storage(0).downgradeTo()).contains(lower(ring, 1));
        }
    }

    @Test
    void downgradeGoesOneMinorVersionAtATime() {
        try (var ring = downgradable()) {
            var refused = List.of(
                    failure(() -> ring.startDowngrade(2)),
                    failure(() -> ring.startDowngrade(0)),
                    failure(() -> ring.startDowngrade(-1)));

            assertThat(refused).extracting(GatewayException::kind).containsOnly(Kind.REJECTED);
            assertThat(refused).noneMatch(GatewayException::mayHaveHappened);
            assertThat(IntStream.range(0, 3).mapToObj(ring::storage))
                    .allMatch(told -> told.downgradeTo().isEmpty());
        }
    }

    @Test
    void withoutQuorumNoDowngradeIsAnnounced() {
        try (var ring = downgradable()) {
            ring.kill(1);
            ring.kill(2);
            ring.await(
                    "the survivor to lose its leader",
                    () -> ring.probe(0).status().leader().isEmpty());

            var refused =
                    failure(() -> ring.gateway().startDowngrade(ring.route(0), lower(ring, 1), Duration.ofMillis(600)));

            assertThat(refused.kind()).isIn(Kind.REJECTED, Kind.TIMEOUT);
            assertThat(ring.storage(0).downgradeTo()).isEmpty();
        }
    }

    /// Three members that have agreed on a version and written it beside their data.
    private RingUnderTest downgradable() {
        var ring = found(3);
        if (!ring.version().hasDowngrade()) {
            ring.close();
            Assumptions.abort("no downgrade before 3.6");
        }
        ring.await(
                "every member to tell the format of its data",
                () -> IntStream.range(0, 3)
                        .mapToObj(ring::storage)
                        .allMatch(told -> told.version().equals(Optional.of(lower(ring, 0)))));
        return ring;
    }

    private static EtcdVersion lower(RingUnderTest ring, int minors) {
        return new EtcdVersion(ring.version().major(), ring.version().minor() - minors, 0);
    }

    private static void assertShows(RingUnderTest ring, int ordinal, EtcdGateway.View view) {
        assertThat(view.status().version()).isEqualTo(ring.version());
        assertThat(view.status().term()).isPositive();
        assertThat(view.status().appliedIndex()).isPositive();
        assertThat(view.status().dbSize()).isPositive();
        assertThat(view.status().dbSizeInUse()).isPositive();
        assertThat(view.status().errors()).isEmpty();
        assertThat(view.alarms()).isEmpty();
        assertThat(view.members()).hasSize(3).allMatch(MemberState::started).noneMatch(MemberState::learner);
        assertThat(view.members())
                .filteredOn(MemberState::answers)
                .singleElement()
                .satisfies(self -> {
                    assertThat(self.id()).isEqualTo(view.self());
                    assertThat(self.peerUrls()).containsExactly(ring.peerUrl(ordinal));
                    assertThat(self.status().optional()).contains(view.status());
                });
        assertThat(view.members())
                .filteredOn(m -> !m.answers())
                .extracting(m -> m.status().unknownReason())
                .containsOnly(Optional.of("not asked"));
    }

    static boolean accepted(Runnable call) {
        try {
            call.run();
            return true;
        } catch (GatewayException _) {
            return false;
        }
    }

    private static GatewayException failure(ThrowingCallable call) {
        var failure = catchThrowableOfType(GatewayException.class, call);
        assertThat(failure).as("a refusal").isNotNull();
        assertThat(failure.getMessage()).doesNotContain("etcdserver");
        return failure;
    }
}
