package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.Optional;

/// Steps that restart the members of a running ring one after the other, with another template or another
/// configuration. A member restarts when the StatefulSet's partition is lowered to its ordinal, so the
/// highest comes first and ordinal 0 last. The member is away from the stop signal until it is back.
public sealed interface RollStep extends Step {
    /// Journals the new configuration of the members.
    record BeginRoll(MemberSettings target, String operationId) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginRoll", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the members are restarted on etcd " + target.version();
        }
    }

    /// Moves the leadership to the member that restarts last, so that it moves only once more. `still` says
    /// that the member leads already, unless something has changed in the meantime.
    record LeadFrom(int ordinal, boolean still) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("LeadFrom", Gate.GREEN).undo("yes").elects(still ? "" : "one, if another member leads");
        }

        @Override
        public String text(ClusterRef ref) {
            return still
                    ? "Check that " + ref.podName(ordinal) + " still leads, and move the leadership back to it if not"
                    : "Move the leadership to " + ref.podName(ordinal) + ", which is restarted last";
        }
    }

    /// Writes the pod template while the partition is pinned: no pod gets it yet.
    record WriteTemplate(MemberSettings target) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("WriteTemplate", Gate.GREEN).undo("by rolling back, until the last member is restarted");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write the new pod template; the partition keeps every pod as it is";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.pinned(fresh).or(() -> DowngradeGate.unprepared(fresh));
        }

        /// It restarts no member, and an unhealthy member may need it: a new member of the next minor
        /// version, or one that no longer starts on the former one. Where the ring has lost its
        /// quorum by that, no leader is needed.
        @Override
        public Optional<String> notGreen(ClusterState fresh) {
            if (RollGate.behind(fresh) && QuorumLoss.of(fresh).isPresent()) {
                return Optional.empty();
            }
            boolean needed = RingHealth.passing(fresh).isEmpty() || MemberGate.corrupt(fresh);
            return needed ? MemberGate.standing(fresh, 0) : RollStep.super.notGreen(fresh);
        }
    }

    /// Writes the sealed file for the member's next start. Either version can read it: each uses the parts
    /// that it needs and ignores the rest.
    record WriteMemberFile(int ordinal, MemberSettings target) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("WriteMemberFile", Gate.EXPECTED)
                    .undo("by rolling back, until the last member is restarted");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write the configuration of " + ref.podName(ordinal) + " for etcd " + target.version();
        }
    }

    /// Lowers the partition by one. The controller does not respect the disruption budget here.
    record RestartMember(int ordinal) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("RestartMember", Gate.GREEN).undo("by rolling back, until the last member is restarted");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Restart " + ref.podName(ordinal) + " by lowering the partition to " + ordinal;
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withPartition(Math.min(ring.partition(), ordinal));
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.away(ordinal, fresh)
                    .or(() -> MemberGate.evictable(fresh))
                    .or(() -> RollGate.next(ordinal, fresh))
                    .or(() -> DowngradeGate.unprepared(fresh));
        }
    }

    /// Lowers the partition to the lowest member that does not run on the former template, so that its next
    /// pod has the new one. It restarts no member that runs, and the ring may have no leader without them.
    record OpenPartition(int ordinal) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("OpenPartition", Gate.EXPECTED)
                    .undo("no: no member starts on a version below the cluster version");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Lower the partition to " + ordinal + ": the members from " + ref.podName(ordinal)
                    + " on have the new template, or do not run";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withPartition(Math.min(ring.partition(), ordinal));
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.opened(ordinal, fresh);
        }
    }

    /// Waits until the member is back with the StatefulSet's newest template and this version, under its
    /// old ID, and has caught up. Fails at once where waiting cannot help.
    record AwaitRolled(int ordinal, EtcdVersion version) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitRolled", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + ref.podName(ordinal) + " is back on etcd " + version
                    + " and every member is healthy";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.back(ordinal);
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }
    }

    /// Compares the member's data with that of another member, by hash at one revision.
    record CompareMember(int ordinal) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("CompareMember", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compare the data of " + ref.podName(ordinal) + " with another member's by hash";
        }
    }

    /// Watches the ring for a while before the next member restarts.
    record Soak(Duration time) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("Soak", Gate.NONE).undo("changes nothing").within(time.plusMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Watch the ring for " + time.toSeconds() + " s";
        }
    }

    /// Waits until every member reports that the cluster version is that of the new minor version. From
    /// then on no member can go back alone, and before 3.6 the ring cannot either.
    record AwaitClusterVersion(EtcdVersion version) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitClusterVersion", Gate.NONE)
                    .undo(
                            version.hasDowngrade()
                                    ? "by a downgrade"
                                    : "no: etcd cannot go back to " + version.major() + "." + (version.minor() - 1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until every member reports cluster version " + version.major() + "." + version.minor();
        }
    }

    /// Pins the partition again, once the new template is the controller's current revision. Pinned
    /// earlier, a recreated pod would get the old one.
    record PinPartition(int replicas) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("PinPartition", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Pin the partition again";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withPartition(replicas);
        }
    }

    /// Journals that the members are configured with `target`, and that nothing is under way any more.
    record FinishRoll(MemberSettings target) implements RollStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishRoll", Gate.NONE).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring runs etcd " + target.version();
        }
    }
}
