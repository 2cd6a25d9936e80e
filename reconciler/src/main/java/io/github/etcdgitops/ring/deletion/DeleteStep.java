package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RetainedRing;
import java.time.Duration;
import java.util.Optional;

/// Steps that delete a ring that has a tombstone. What is needed to bring it back stays: its journal, the
/// members' files, its Secrets and its claims.
public sealed interface DeleteStep extends Step {
    /// How a step is undone while the volumes exist.
    String BY_DOCUMENT = "by bringing the ring's document back";

    /// Journals that the ring is being deleted, before anything of it is touched, and what happens to its
    /// volumes.
    record BeginDeletion(String reason, String operationId, RetainedRing.Volumes volumes) implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginDeletion", Gate.EXPECTED).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring is being deleted, and why: " + reason;
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.goes(fresh) ? DeleteGate.gone(fresh) : DeleteGate.whole(fresh);
        }
    }

    /// Deletes the objects that lead clients to the ring. A client that uses a member's own name still
    /// reaches it.
    record CutClients() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("CutClients", Gate.EXPECTED).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the client service and the connection ConfigMap";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE).or(() -> DeleteGate.unsaved(fresh));
        }
    }

    /// Compares all members' data and journals its hash: every volume then holds the complete data.
    record CompareMembers() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("CompareMembers", Gate.GREEN)
                    .undo("changes nothing")
                    .within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compare the data of all members and record its hash in the journal";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE).or(() -> DeleteGate.unsaved(fresh));
        }
    }

    /// Stops all members at once. From here until it is brought back, the ring serves no client.
    record StopMembers() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("StopMembers", Gate.GREEN).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Stop all members: scale the StatefulSet to 0 replicas";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return RingModel.EMPTY.withMinAvailable(ring.minAvailable());
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.underWay(fresh, Intent.Kind.DELETE)
                    .or(() -> DeleteGate.whole(fresh))
                    .or(() -> DeleteGate.comesBack(fresh))
                    .or(() -> DeleteGate.ledTo(fresh))
                    .or(() -> DeleteGate.unsaved(fresh));
        }
    }

    /// Waits until every pod is gone: then nothing writes to its volume any more.
    record AwaitStopped(int members) implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitStopped", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until every pod is gone";
        }
    }

    /// Marks the members' claims as retained.
    record KeepVolumes() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("KeepVolumes", Gate.EXPECTED).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Mark the members' volume claims as retained";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.notStopped(fresh);
        }
    }

    /// Deletes the StatefulSet, which has no pods by now, by its UID. What it owns stays.
    record RemoveStatefulSet() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("RemoveStatefulSet", Gate.EXPECTED)
                    .undo(BY_DOCUMENT)
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the StatefulSet, which has no pods left";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.notStopped(fresh);
        }
    }

    /// Deletes the objects around the members.
    record RemoveObjects() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("RemoveObjects", Gate.EXPECTED).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the peer service, the network policy and the disruption budget";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withMinAvailable(-1);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.notStopped(fresh);
        }
    }

    /// Journals that the ring is deleted, and that nothing is under way any more.
    record FinishDeletion() implements DeleteStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishDeletion", Gate.NONE).undo(BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring is deleted";
        }
    }
}
