package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Steps that roll back a roll.
public sealed interface UnrollStep extends Step {
    /// Journals that the roll under way is rolled back, and its `failure`, if any. Refused once the cluster
    /// version is that of the roll's target.
    record BeginUnroll(Optional<String> failure) implements UnrollStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginUnroll", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the rollout is rolled back";
        }
    }

    /// Restores the former template and pins the partition, in one write.
    record ReinstateTemplate(int replicas) implements UnrollStep {
        @Override
        public Facts facts() {
            return Facts.of("ReinstateTemplate", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Restore the former pod template and pin the partition";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withPartition(replicas);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.former(fresh);
        }
    }

    /// Deletes the member's pod, which the controller recreates from the newest template: in a rollback the
    /// former one. Where the member is away anyway, the ring loses nothing by it, as long as it is known
    /// which of the others serve. The member need not be healthy, so the step has no green gate and checks
    /// the others itself.
    record ReplacePod(int ordinal) implements UnrollStep {
        @Override
        public Facts facts() {
            return Facts.of("ReplacePod", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Replace the pod " + ref.podName(ordinal);
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.isAway(ordinal, fresh)
                    ? MemberGate.unclear(fresh)
                    : RingHealth.problems(fresh, Set.of(ordinal)).stream()
                            .findFirst()
                            .or(() -> RollGate.away(ordinal, fresh))
                            .or(() -> MemberGate.evictable(fresh));
        }
    }

    /// Waits until every member has the former template and is healthy, and journals that nothing is under
    /// way any more. A failed roll is not started again unchanged.
    record FinishUnroll(int size) implements UnrollStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishUnroll", Gate.NONE).undo("yes").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the rollout was rolled back";
        }
    }
}
