package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.underway.ReceivingVolume;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Steps by which a ring makes way for another one with its name and its volumes. None of them requires a
/// readable ring: it may have no quorum, or not answer at all.
public sealed interface RecoverStep extends Step {
    /// Whether a step can be undone once the former members have ended.
    String NO = "no: the data on the volumes is retained, but no member starts from it";

    /// Checks the free room on the volume that receives the snapshot, with a pod on the node that has it,
    /// while the ring is still unchanged. Changes nothing.
    record ProveRoom(RestoreOrder order, String operationId) implements RecoverStep {
        /// The limit for the Job. It may have to pull an image and attach a volume.
        public static final Duration LONGEST = Duration.ofMinutes(6);

        @Override
        public Facts facts() {
            return Facts.of("ProveRoom", Gate.UNSUSPENDED)
                    .undo("changes nothing")
                    .within(ProveRoom.LONGEST.plusMinutes(2));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check with a pod on the node of " + ref.podName(0) + "'s volume that "
                    + ReceivingVolume.needed(order.source().size()) + " bytes are free";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.known(fresh).or(() -> ReceivingVolume.obstacle(fresh));
        }
    }

    /// Journals why the ring is ended, before any member is.
    record BeginExchange(RestoreOrder order, EtcdId former, String operationId) implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("BeginExchange", Gate.UNSUSPENDED).undo("yes, until members are stopped");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the ring with cluster ID " + former + " is replaced by a new one";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.known(fresh)
                    .or(() -> RecoverGate.another(former, fresh))
                    .or(() -> RecoverGate.otherwiseBusy(fresh))
                    .or(() -> RecoverGate.moved(order, fresh));
        }
    }

    /// Ends all remaining members. This cannot be undone: a ring without quorum does not serve again once
    /// it is ended, not even the data that it has.
    record EndFormers(RestoreOrder order) implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("EndFormers", Gate.UNSUSPENDED).undo(NO);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Stop all remaining members: scale the StatefulSet to 0 replicas";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return RingModel.EMPTY.withMinAvailable(ring.minAvailable());
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notBegun(fresh)
                    .or(() -> RecoverGate.moved(order, fresh))
                    .or(() -> ReceivingVolume.obstacle(fresh));
        }
    }

    /// Waits until every pod is certainly gone. A pod on an unreachable node may still run.
    record AwaitEnded(int members) implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitEnded", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until every pod is certainly gone";
        }
    }

    /// Deletes what leads clients to the ring, until its data is compared.
    record LeadClientsAway() implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("LeadClientsAway", Gate.UNSUSPENDED).undo(NO);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the client service and the connection ConfigMap until the new ring serves";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notStopped(fresh);
        }
    }

    /// Deletes the StatefulSet, which has no pods by now, by its UID.
    record RemoveFormerSet() implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("RemoveFormerSet", Gate.UNSUSPENDED).undo(NO).within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the StatefulSet, which has no pods left";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notStopped(fresh);
        }
    }

    /// Deletes the members' files: whatever is started by hand, no member of the former ring comes back.
    record UnseatFormers() implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("UnseatFormers", Gate.UNSUSPENDED).undo(NO);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove the former members' configurations, so that none of them can start again";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notVacant(fresh);
        }
    }

    /// Deletes claims whose volumes are lost, by their UIDs.
    record FreeLostClaims(SortedMap<Integer, String> claims) implements RecoverStep {
        public FreeLostClaims {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("FreeLostClaims", Gate.UNSUSPENDED).undo(NO).within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the volume claims of "
                    + claims.keySet().stream().map(ref::podName).collect(Collectors.joining(", "))
                    + ", whose volumes are lost";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notVacant(fresh);
        }
    }

    /// Journals the new ring of one in place of the former one, with the data that it starts from.
    record OpenExchanged(RestoreOrder order, EtcdVersion version, String operationId) implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("OpenExchanged", Gate.UNSUSPENDED).undo(NO);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the journal of the new ring on etcd " + version + ", which begins with "
                    + order.backup().map(id -> "backup " + id).orElse("this snapshot");
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notVacant(fresh);
        }
    }

    /// Journals that nothing is under way any more.
    record CallOff() implements RecoverStep {
        @Override
        public Facts facts() {
            return Facts.of("CallOff", Gate.UNSUSPENDED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that nothing is in progress";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return RecoverGate.notBegun(fresh).or(() -> RecoverGate.ended(fresh));
        }
    }
}
