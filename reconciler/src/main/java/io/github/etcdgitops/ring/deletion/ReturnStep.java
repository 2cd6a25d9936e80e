package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

/// Steps that bring a deleted ring back on its retained volumes, or undo a deletion.
public sealed interface ReturnStep extends Step {
    /// Checks that its claims are the former ones, then journals that the ring comes back.
    record BeginReturn(String operationId) implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginReturn", Gate.EXPECTED).undo("by deleting the ring again");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring is brought back on its retained volumes";
        }

        /// A return in progress is recorded again without checking the volumes: that starts no member.
        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.RETURN).isEmpty()
                    ? Optional.empty()
                    : DeleteGate.kept(fresh).or(() -> DeleteGate.absent(fresh));
        }
    }

    /// Writes each member's file that lets it start on its own data only.
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

    /// Creates the StatefulSet with a replica for each former member, or gives an emptied one its replicas
    /// back.
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

    /// Waits until the former members answer under their IDs and have a leader. Members whose volume is
    /// lost may be away, as long as the others have quorum.
    record AwaitReturned(int members) implements ReturnStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitReturned", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until the former members are reachable and have a leader";
        }

        /// In a ring that runs already, members may have been removed by hand.
        @Override
        public RingModel apply(RingModel ring) {
            return ring.voters().isEmpty()
                    ? ring.withVoters(IntStream.range(0, members).boxed().toList())
                    : ring;
        }
    }

    /// Compares the data with the hash that was journalled at the deletion.
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

    /// Marks the claims as in use again.
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

    /// Journals that the ring exists and nothing is under way.
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
