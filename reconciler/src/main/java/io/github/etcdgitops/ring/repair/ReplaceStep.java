package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.ring.roll.RollGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Steps that give members' places to new members on new volumes. They never touch the other members. To
/// remove a member, only enough of the others must be healthy for the ring to stay writable. To add one,
/// etcd needs every voter. So no step requires a healthy ring: each has its own obstacle.
public sealed interface ReplaceStep extends Step {
    /// Journals which members are replaced, and the claims that are given up, by ordinal. Each new member
    /// gets its own data directory.
    record BeginReplacement(SortedMap<Integer, GivenUpClaim> claims, String operationId) implements ReplaceStep {
        public BeginReplacement {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("BeginReplacement", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that "
                    + claims.keySet().stream().map(ref::podName).collect(Collectors.joining(", "))
                    + (claims.size() == 1 ? " is" : " are")
                    + " replaced with new data directories and that these volume claims are given up: "
                    + claims.values().stream().map(GivenUpClaim::claimUid).collect(Collectors.joining(", "));
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(
                            fresh, claims.values().stream().anyMatch(claim -> ReplaceGate.isWorthless(claim.why())))
                    .or(() -> ReplaceGate.notGiven(claims, fresh));
        }
    }

    /// Moves the leadership off the member, if it is still the leader.
    record LeadElsewhere(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("LeadElsewhere", Gate.EXPECTED).undo("yes").within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Move the leadership away from " + ref.podName(ordinal) + " if it still leads";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, ReplaceGate.differs(ordinal, fresh));
        }
    }

    /// Removes the former member from the ring: its ID must never come back with an empty disk.
    record RemoveFormer(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("RemoveFormer", Gate.EXPECTED).undo("no, but the next steps add a new member in its place");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove member " + ref.podName(ordinal) + " from the ring";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.without(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(
                            fresh,
                            ReplaceGate.differs(ordinal, fresh)
                                    || ReplaceGate.hasNoData(ordinal, fresh)
                                    || ReplaceGate.outvoted(ordinal, fresh))
                    .or(() -> ReplaceGate.former(ordinal, fresh)
                            .flatMap(f ->
                                    ReplaceGate.stillThere(ordinal, new GivenUpClaim(f.claimUid(), f.why()), fresh)))
                    .or(() -> MemberGate.removal(ordinal, fresh))
                    .or(() -> ReplaceGate.stillServing(ordinal, fresh));
        }
    }

    /// Disarms the alarm CORRUPT, where the remaining members have the same data. It outlives the member
    /// that it was raised for, and until it is disarmed the ring refuses writes and no member is ready.
    record DisarmCorrupt() implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("DisarmCorrupt", Gate.EXPECTED).undo("not needed: etcd raises it again when data differs");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Disarm the alarm CORRUPT if the remaining members have the same data";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, true).or(() -> ReplaceGate.differingMember(fresh));
        }
    }

    /// During a roll, lowers the partition to a place whose member is removed, so that the new member
    /// starts from the new template. It restarts no current member.
    record LowerPartition(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("LowerPartition", Gate.EXPECTED)
                    .undo("no: etcd no longer accepts members of the former minor version");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Lower the partition to " + ordinal + ", so that the new member " + ref.podName(ordinal)
                    + " starts from the new template like all others";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withPartition(Math.min(ring.partition(), ordinal));
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, false).or(() -> RollGate.opened(ordinal, fresh));
        }
    }

    /// Deletes the given-up claim, by its UID, and the pod that uses it. Then waits until the pod's
    /// controller has recreated both.
    record FreeVolume(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("FreeVolume", Gate.EXPECTED)
                    .undo("no: the data on the volume is given up")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the volume claim of " + ref.podName(ordinal)
                    + " that is given up and its pod, and wait until both are recreated";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, false).or(() -> ReplaceGate.stillMember(ordinal, fresh));
        }
    }

    /// Adds the new member: as a learner, where etcd has learners.
    record AddNewcomer(int ordinal, boolean learner) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("AddNewcomer", Gate.EXPECTED).undo("not needed: the member has its place back");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Add " + ref.podName(ordinal) + " again as a "
                    + (learner ? "learner" : "voter (this etcd has no learners)");
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.has(ordinal) ? ring : learner ? ring.withLearner(ordinal) : ring.promoted(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, false, learner ? 0 : 1)
                    .or(() -> ReplaceGate.oldClaim(ordinal, fresh))
                    .or(() -> ReplaceGate.silentVoter(fresh));
        }

        /// An added voter counts before its process runs.
        @Override
        public Quorum during(RingModel before) {
            var after = apply(before).quorum();
            boolean startsLater = !learner && !before.voters().contains(ordinal);
            return startsLater ? new Quorum(after.voters(), after.healthy() - 1) : after;
        }
    }

    /// Deletes the pod once more if its container could not start before its file existed: a kubelet waits
    /// longer and longer between its attempts.
    record RenewPod(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("RenewPod", Gate.EXPECTED).undo("changes nothing");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Recreate the pod " + ref.podName(ordinal) + " if it failed before it had its configuration";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, false);
        }
    }

    /// Promotes the learner to voter once the leader reports that it has caught up.
    record PromoteNewcomer(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("PromoteNewcomer", Gate.EXPECTED)
                    .undo("not needed: the member has its place back")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Promote " + ref.podName(ordinal) + " to voter when it has caught up";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.promoted(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return ReplaceGate.unsteady(fresh, false);
        }
    }

    /// Waits until the new member votes, answers and is ready.
    record AwaitNewcomer(int ordinal) implements ReplaceStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitNewcomer", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + ref.podName(ordinal) + " is a voter, healthy and ready";
        }
    }
}
