package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

/// Steps by which a ring that was deleted comes back on the volumes that were kept, or one whose deletion
/// is taken back.
public sealed interface ReturnStep extends Step {
    /// Journals that the ring comes back, once its claims were seen to be those of then.
    record BeginReturn(String operationId) implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginReturn", Gate.EXPECTED).undo("by deleting the ring again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring is brought back on its retained volumes";
        }

        /// A return that is in progress is recorded again without a look at the volumes: that starts no member.
        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.RETURN).isEmpty()
                    ? Optional.empty()
                    : DeleteGate.kept(fresh).or(() -> DeleteGate.absent(fresh));
        }
    }

    /// Writes each member's file, with which it starts on its own data only.
    record SealMembers() implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("SealMembers", Gate.EXPECTED).undo("not needed: a sealed configuration is the safe one");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write the members' configurations: each starts on its own data only";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.RETURN).or(() -> DeleteGate.kept(fresh));
        }
    }

    /// Creates the StatefulSet with a replica for each member of then, or gives an emptied one its
    /// replicas back.
    record StartMembers(int members) implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("StartMembers", Gate.EXPECTED).undo("by deleting the ring again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Start " + (members == 1 ? ref.podName(0) : "all " + members + " members")
                    + " on the retained volumes";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(members);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.RETURN)
                    .or(() -> DeleteGate.kept(fresh))
                    .or(() -> DeleteGate.comesBack(fresh));
        }
    }

    /// Waits until the members of then answer under their IDs and have a leader. Those whose
    /// volume is lost may be away, as long as the others are enough.
    record AwaitReturned(int members) implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitReturned", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until the former members are reachable and have a leader";
        }

        /// Of a ring that runs already, somebody may have removed members.
        @Override
        public RingModel apply(RingModel ring) {
            return ring.voters().isEmpty()
                    ? ring.withVoters(IntStream.range(0, members).boxed().toList())
                    : ring;
        }
    }

    /// Compares the data with what was journalled when the ring went.
    record CompareRemains() implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("CompareRemains", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compare the data with the hash recorded when the ring was deleted";
        }
    }

    /// The claims are in use again.
    record TakeVolumes() implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("TakeVolumes", Gate.EXPECTED).undo("by deleting the ring again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Mark the volume claims as in use";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.RETURN);
        }
    }

    /// Journals that nothing is under way, and that the ring is there.
    record FinishReturn() implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishReturn", Gate.NONE).undo("by deleting the ring again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record completion in the journal";
        }
    }
}
