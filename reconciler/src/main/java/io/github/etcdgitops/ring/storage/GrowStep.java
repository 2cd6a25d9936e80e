package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.ring.roll.RollGate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Steps that make the volumes of a running ring larger. Sizes are quantities, such as `2Gi`.
///
/// Steps that bring a StatefulSet back require nothing of the ring: it may be down because the StatefulSet
/// is gone.
public sealed interface GrowStep extends Step {
    /// Requests a larger volume in the claim of that name, and waits until it has the size and every member
    /// is healthy. Only then the next claim follows. Where the member may restart afterwards, the step does
    /// not wait for its file system.
    record ExpandClaim(int ordinal, String claim, String size, boolean restarted) implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("ExpandClaim", Gate.GREEN)
                    .undo("no: a volume never shrinks")
                    .within(Duration.ofMinutes(15));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Request " + size + " in the volume claim " + claim + " and wait until the volume has grown";
        }
    }

    /// Deletes the member's pod, which the controller recreates unchanged, and waits until its claim has
    /// the size and every member is healthy. Does nothing where the claim already has the size.
    record RestartForVolume(int ordinal, String size) implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("RestartForVolume", Gate.GREEN).undo("yes").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Restart " + ref.podName(ordinal) + " if its file system has not grown to " + size + " by itself";
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.pinned(fresh)
                    .or(() -> RollGate.away(ordinal, fresh))
                    .or(() -> MemberGate.evictable(fresh));
        }
    }

    /// Journals what the StatefulSet is recreated from: for a moment nothing else holds it.
    record BeginRecreation(Storage storage, String operationId) implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginRecreation", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the StatefulSet is recreated with volume claims of " + storage.size();
        }
    }

    /// Deletes the StatefulSet without its pods, and waits until it is gone. Until the new one exists, a
    /// pod that ends is not recreated.
    record OrphanPods() implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("OrphanPods", Gate.GREEN)
                    .undo("not needed: no pod is touched")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the StatefulSet and leave its pods running";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(0);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RollGate.pinned(fresh).or(() -> MemberGate.evictable(fresh)).or(() -> GrowGate.otherRevision(fresh));
        }
    }

    /// Creates the StatefulSet from the journal, with the pods' own template and pinned, and waits until
    /// its controller owns the pods.
    record RecreateStatefulSet(int replicas) implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("RecreateStatefulSet", Gate.UNSUSPENDED)
                    .undo("not needed: no pod is touched")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Recreate the StatefulSet around them with the same pod template and a pinned partition";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(replicas);
        }
    }

    /// Journals that nothing is under way any more.
    record FinishRecreation() implements GrowStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishRecreation", Gate.NONE).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the StatefulSet exists again";
        }
    }

    /// A ring that is out of space needs larger volumes: that state alone does not block them.
    @Override
    default Optional<String> notGreen(ClusterState fresh) {
        return RingHealth.problems(Space.ignored(fresh), Set.of()).stream().findFirst();
    }
}
