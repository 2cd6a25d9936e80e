package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Steps by which a member joins the ring or leaves it.
public sealed interface MemberStep extends Step {
    /// Journals what is about to happen: a join needs a fresh data directory, a departure keeps the old
    /// one.
    record Begin(Intent.Kind kind, int ordinal, String operationId) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("Begin", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that " + ref.podName(ordinal)
                    + (kind == Intent.Kind.LEAVE ? " leaves" : " joins with a new data directory");
        }
    }

    record AddLearner(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AddLearner", Gate.GREEN).undo("by scaling in again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Add " + ref.podName(ordinal) + " as a learner";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.has(ordinal) ? ring : ring.withLearner(ordinal);
        }
    }

    /// Servers before 3.4 have no learners: the newcomer counts for quorum from the start.
    record AddVoter(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AddVoter", Gate.GREEN).undo("by scaling in again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Add " + ref.podName(ordinal) + " as a voter (this etcd has no learners)";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.has(ordinal) ? ring : ring.promoted(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.newVoter(fresh);
        }

        /// The new voter counts before its process runs.
        @Override
        public Quorum during(RingModel before) {
            var after = apply(before).quorum();
            return before.has(ordinal) ? after : new Quorum(after.voters(), after.healthy() - 1);
        }
    }

    /// Writes the file with which an added member first starts.
    record WriteJoinConfig(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("WriteJoinConfig", Gate.EXPECTED).undo("by scaling in again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write the configuration with which " + ref.podName(ordinal) + " joins";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.unsealing(ordinal, fresh);
        }
    }

    /// Waits until the member has started and answers; until it votes, clients are kept away from it.
    record AwaitStarted(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitStarted", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + ref.podName(ordinal) + " is started (clients are not routed to it yet)";
        }
    }

    /// Replaces the member's file by one that lets it start on its own data only. Before it becomes a
    /// voter, never after.
    record SealMember(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("SealMember", Gate.EXPECTED).undo("not needed: a sealed configuration is the safe one");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Seal the configuration of " + ref.podName(ordinal) + ": from now on it starts on its own data only";
        }
    }

    /// Lets the learner vote once the leader says it has caught up.
    record Promote(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("Promote", Gate.GREEN).undo("by scaling in again").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Promote " + ref.podName(ordinal) + " to voter when it has caught up";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.promoted(ordinal);
        }
    }

    /// Lets clients reach the member.
    record AdmitClients(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AdmitClients", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Route clients to " + ref.podName(ordinal);
        }
    }

    /// Waits until every voter answers, agrees and has caught up.
    record AwaitGreen() implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitGreen", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until every member is healthy and has caught up";
        }
    }

    /// Moves the leadership off the member, if it has it.
    record YieldLeadership(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("YieldLeadership", Gate.GREEN)
                    .undo("yes")
                    .within(Duration.ofMinutes(1))
                    .elects("one, if it leads");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Move the leadership away from " + ref.podName(ordinal) + " if it leads";
        }

        /// One whose data differs is of no use, and hands over where a majority answers.
        @Override
        public Optional<String> notGreen(ClusterState fresh) {
            return MemberGate.differs(ordinal, fresh)
                    ? MemberGate.standing(fresh, 0)
                    : MemberStep.super.notGreen(fresh);
        }

        @Override
        public boolean compares() {
            return true;
        }
    }

    /// Removes the member from the ring. Its data stays on its volume. `unwell` need not be well: a
    /// half-joined one that goes, and members that leave and do not come back. All others must be.
    record RemoveMember(int ordinal, Set<Integer> unwell) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("RemoveMember", Gate.GREEN);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove member " + ref.podName(ordinal) + " from the ring";
        }

        @Override
        public String undo(ClusterRef ref) {
            return "by scaling out again; " + ref.podName(ordinal) + " rejoins as a new member";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.without(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.removal(ordinal, fresh);
        }

        /// Whoever does not count, or is of no use, may go where a majority answers: that costs nobody
        /// anything, and the others may have to wait for it.
        @Override
        public Optional<String> notGreen(ClusterState fresh) {
            boolean first = unwell.contains(ordinal)
                    && (MemberGate.countsForNothing(ordinal, fresh) || MemberGate.differs(ordinal, fresh));
            return first
                    ? MemberGate.standing(fresh, 0)
                    : RingHealth.problems(fresh, unwell).stream().findFirst();
        }

        @Override
        public boolean compares() {
            return unwell.contains(ordinal);
        }
    }

    record AwaitPodGone(int ordinal) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitPodGone", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until the pod " + ref.podName(ordinal) + " is gone";
        }
    }

    /// Takes the member's file away and marks its claim as released: the data is kept, unless it is a
    /// mere `copy`.
    record ReleaseMember(int ordinal, boolean copy) implements MemberStep {
        @Override
        public Facts facts() {
            return Facts.of("ReleaseMember", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove the configuration of " + ref.podName(ordinal)
                    + (copy ? " and its volume, which came with the join" : " and retain its volume");
        }
    }

    /// Journals that what was begun is not under way any more.
    record Finish(Intent.Kind kind) implements MemberStep {
        @Override
        public Facts facts() {
            var facts = kind == Intent.Kind.REPLACE
                    ? Facts.of("FinishReplacement", Gate.NONE)
                    : Facts.of("Finish", Gate.NONE);
            return facts.undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record completion in the journal";
        }
    }
}
