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

/// Steps that add a member to the ring or remove one.
public sealed interface MemberStep extends Step {
    /// Journals the change before it happens: a join needs a new data directory, a removal keeps the old
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

    /// Servers before 3.4 have no learners: the new member counts for quorum from the start.
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

    /// Writes the file for the first start of an added member.
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

    /// Waits until the member has started and answers. Clients are not routed to it until it votes.
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

    /// Replaces the member's file with one that lets it start on its own data only. Before it becomes a
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

    /// Promotes the learner to voter once the leader reports that it has caught up.
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

    /// Admits clients to the member.
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

    /// Moves the leadership off the member, if it is the leader.
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

        /// A member whose data differs is of no use; it may hand over leadership where a majority answers.
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

    /// Removes the member from the ring. Its data stays on its volume. `unwell` are members that need not
    /// be healthy: a half-joined one that leaves, and members that leave and do not come back. All others
    /// must be.
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

        /// A member that does not count, or is of no use, may leave where a majority answers: the ring
        /// loses nothing by it, and the other members may have to wait for it.
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

    /// Deletes the member's file and marks its claim as released. Its data is retained, unless it is only a
    /// `copy`.
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

    /// Journals that the change is no longer under way.
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
