package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.MemberState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// What every [EtcdGateway] does, the real one and the fake alike. What only some versions of etcd do is asked of those
/// alone, by [Ring#version()].
public abstract class EtcdGatewayContract {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final EtcdId NOBODY = new EtcdId(0x1234_5678_9abcL);

    /// A ring founded by so many voters, ordinals 0 and up, all of which serve clients. The caller closes it.
    protected abstract Ring found(int voters);

    /// One ring under test. Ordinals that were not founded are members that may be added later.
    public interface Ring extends AutoCloseable {
        EtcdVersion version();

        EtcdGateway gateway();

        MemberAccess.Route route(int ordinal);

        String peerUrl(int ordinal);

        /// First start of a member whose peer URL was added; `listed` are the ordinals of the member list, its own
        /// included. Does not wait.
        void startJoining(int ordinal, List<Integer> listed);

        /// The member dies; its data stays.
        void kill(int ordinal);

        /// A dead member starts again on its data. Does not wait.
        void restart(int ordinal);

        /// The member holds its connections open and answers nothing any more, until `kill`.
        void freeze(int ordinal);

        /// Looks again and again until it holds; fails with `what` when it takes too long.
        void await(String what, BooleanSupplier condition);

        @Override
        void close();
    }

    @Test
    void probeShowsTheRingAsTheEndpointSeesIt() {
        try (var ring = found(3)) {
            var views = List.of(probe(ring, 0), probe(ring, 1), probe(ring, 2));

            assertThat(views)
                    .extracting(EtcdGateway.View::clusterId)
                    .containsOnly(views.getFirst().clusterId());
            assertThat(views).extracting(EtcdGateway.View::self).doesNotHaveDuplicates();
            assertThat(views).extracting(view -> view.status().leader()).containsOnly(leader(ring));
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                assertShows(ring, ordinal, views.get(ordinal));
            }
        }
    }

    @Test
    void learnerIsAddedStartedAndPromotedWhenItHasCaughtUp() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            var learner = addLearner(ring, 1);

            var listed = member(ring, learner).orElseThrow();
            assertThat(listed.learner()).isTrue();
            assertThat(listed.started()).isFalse();
            assertThat(listed.peerUrls()).containsExactly(ring.peerUrl(1));
            assertThat(listed.clientUrls()).isEmpty();
            assertThat(promote(ring, learner)).as("before it was started").isFalse();

            ring.startJoining(1, List.of(0, 1));
            ring.await(
                    "the learner to start",
                    () -> member(ring, learner).orElseThrow().started());
            ring.await("the learner to catch up", () -> promote(ring, learner));
            assertThat(member(ring, learner).orElseThrow().learner()).isFalse();
            assertThat(failure(() -> promote(ring, learner)).kind()).isEqualTo(Kind.CONFLICT);
        }
    }

    @Test
    void learnerTellsItsStatusAndNoMemberList() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            var learner = addLearner(ring, 1);
            ring.startJoining(1, List.of(0, 1));
            ring.await("the learner to answer", () -> answers(ring, 1));

            var view = probe(ring, 1);

            assertThat(view.self()).isEqualTo(learner);
            assertThat(view.clusterId()).isEqualTo(probe(ring, 0).clusterId());
            assertThat(view.status().version()).isEqualTo(ring.version());
            assertThat(view.members()).isEmpty();
        }
    }

    @Test
    void refusesALearnerBefore34InsteadOfAddingAVoter() {
        try (var ring = found(1)) {
            Assumptions.assumeFalse(ring.version().hasLearners(), "only before 3.4");

            var refused = failure(() -> addLearner(ring, 1));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(probe(ring, 0).members()).hasSize(1);
        }
    }

    @Test
    void refusesASecondLearnerWithWords() {
        try (var ring = found(1)) {
            Assumptions.assumeTrue(ring.version().hasLearners(), "no learners before 3.4");
            addLearner(ring, 1);

            var refused = failure(() -> addLearner(ring, 2));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(refused).hasMessageContaining("learner");
        }
    }

    @Test
    void samePeerUrlTwiceIsAConflict() {
        try (var ring = found(1)) {
            var refused = failure(() -> addVoter(ring, 0));

            assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(probe(ring, 0).members()).hasSize(1);
        }
    }

    /// etcd asks that all voters have been connected for five seconds, hence the waiting.
    @Test
    void votersComeAndGoAsFarAsEnoughAreStarted() {
        try (var ring = found(1)) {
            var started = addVoter(ring, 1);
            ring.startJoining(1, List.of(0, 1));
            ring.await("the voter to answer", () -> answers(ring, 1));
            ring.await("etcd to allow another", () -> accepted(() -> addVoter(ring, 2)));
            var unstarted = voterThatNeverStarted(ring);

            var refused = failure(() -> remove(ring, started));
            remove(ring, unstarted);
            remove(ring, started);
            var again = failure(() -> remove(ring, started));

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(again.kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(probe(ring, 0).members())
                    .extracting(MemberState::peerUrls)
                    .containsExactly(List.of(ring.peerUrl(0)));
        }
    }

    @Test
    void removingAStrangerIsNotFound() {
        try (var ring = found(1)) {
            var refused = failure(() -> remove(ring, NOBODY));

            assertThat(refused.kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(refused.mayHaveHappened()).isFalse();
        }
    }

    @Test
    void refusesToGrowOrLoseAHealthyMemberWhileAVoterIsDown() {
        try (var ring = found(3)) {
            var healthy = probe(ring, 1).self();
            var dead = probe(ring, 2).self();
            ring.kill(2);
            ring.await(
                    "a leader among the others",
                    () -> probe(ring, 0)
                            .status()
                            .leader()
                            .filter(l -> !l.equals(dead))
                            .isPresent());

            ring.await("etcd to notice", () -> !accepted(() -> growAndUndo(ring)));
            var grown = failure(() -> growAndUndo(ring));
            var removed = failure(() -> remove(ring, healthy));

            assertThat(List.of(grown, removed))
                    .extracting(GatewayException::kind)
                    .containsOnly(Kind.REJECTED);
            assertThat(List.of(grown, removed)).noneMatch(GatewayException::mayHaveHappened);
            assertThat(probe(ring, 0).members()).hasSize(3);
            remove(ring, dead);
            assertThat(member(ring, dead)).isEmpty();
        }
    }

    @Test
    void leaderMovesOnlyWhenAskedItself() {
        try (var ring = found(3)) {
            int leader = leaderOrdinal(ring);
            int follower = (leader + 1) % 3;
            var target = probe(ring, follower).self();

            var refused = failure(() -> ring.gateway().moveLeader(ring.route(follower), target, DEADLINE));
            ring.gateway().moveLeader(ring.route(leader), target, DEADLINE);

            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
            assertThat(refused.mayHaveHappened()).isFalse();
            ring.await("all to follow", () -> leader(ring).equals(Optional.of(target)));
        }
    }

    @Test
    void withoutQuorumNothingChangesAndTheSurvivorStillAnswers() {
        try (var ring = found(2)) {
            ring.kill(1);
            ring.await(
                    "the survivor to lose its leader",
                    () -> probe(ring, 0).status().leader().isEmpty());
            var shortTime = Duration.ofMillis(600);

            var added = failure(() -> ring.gateway().addVoter(ring.route(0), ring.peerUrl(2), shortTime));
            var removed = failure(() -> ring.gateway().removeMember(ring.route(0), NOBODY, shortTime));

            assertThat(List.of(added, removed))
                    .extracting(GatewayException::kind)
                    .isSubsetOf(Kind.REJECTED, Kind.TIMEOUT, Kind.NOT_FOUND);
            assertThat(List.of(added, removed)).allMatch(e -> e.kind() != Kind.TIMEOUT || e.mayHaveHappened());
            assertThat(probe(ring, 0).members()).hasSize(2);

            ring.restart(1);
            ring.await(
                    "quorum to be back",
                    () -> answers(ring, 1) && probe(ring, 0).status().leader().isPresent());
        }
    }

    @Test
    void deadMemberIsUnreachableAndNothingHappened() {
        try (var ring = found(1)) {
            ring.kill(0);

            var probed = failure(() -> probe(ring, 0));
            var changed = failure(() -> remove(ring, NOBODY));

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

    private static void assertShows(Ring ring, int ordinal, EtcdGateway.View view) {
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

    /// Adds a learner where there are any, else a voter, and takes it away again.
    private static void growAndUndo(Ring ring) {
        var added = ring.version().hasLearners() ? addLearner(ring, 3) : addVoter(ring, 3);
        remove(ring, added);
    }

    private static EtcdId voterThatNeverStarted(Ring ring) {
        var unstarted =
                probe(ring, 0).members().stream().filter(m -> !m.started()).toList();
        assertThat(unstarted).singleElement().matches(m -> !m.learner());
        return unstarted.getFirst().id();
    }

    private static EtcdGateway.View probe(Ring ring, int ordinal) {
        return ring.gateway().probe(ring.route(ordinal), DEADLINE);
    }

    private static EtcdId addLearner(Ring ring, int ordinal) {
        return ring.gateway().addLearner(ring.route(0), ring.peerUrl(ordinal), DEADLINE);
    }

    private static EtcdId addVoter(Ring ring, int ordinal) {
        return ring.gateway().addVoter(ring.route(0), ring.peerUrl(ordinal), DEADLINE);
    }

    private static boolean promote(Ring ring, EtcdId learner) {
        return ring.gateway().promote(ring.route(0), learner, DEADLINE);
    }

    private static void remove(Ring ring, EtcdId member) {
        ring.gateway().removeMember(ring.route(0), member, DEADLINE);
    }

    private static Optional<MemberState> member(Ring ring, EtcdId id) {
        return probe(ring, 0).members().stream().filter(m -> m.id().equals(id)).findFirst();
    }

    private static Optional<EtcdId> leader(Ring ring) {
        return new HashSet<>(List.of(
                                        probe(ring, 0).status().leader(),
                                        probe(ring, 1).status().leader()))
                                .size()
                        == 1
                ? probe(ring, 0).status().leader()
                : Optional.empty();
    }

    private static int leaderOrdinal(Ring ring) {
        var leader = leader(ring).orElseThrow();
        return List.of(0, 1, 2).stream()
                .filter(o -> probe(ring, o).self().equals(leader))
                .findFirst()
                .orElseThrow();
    }

    private static boolean answers(Ring ring, int ordinal) {
        return accepted(() -> probe(ring, ordinal));
    }

    private static boolean accepted(Runnable call) {
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
