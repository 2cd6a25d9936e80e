package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;

/// Steps that make a ring ours that was created without etcd-gitops. None of them restarts a member.
///
/// Once the StatefulSet is gone, no step waits for a healthy ring: if a pod dies in this time, only these
/// steps bring it back.
public sealed interface AdoptStep extends Step {
    /// Stores the manifest of the StatefulSet, and opens the journal with the proven facts. If the journal
    /// is already open, notes that this run continues.
    record OpenAdoption(AdoptionOrder order, String operationId) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("OpenAdoption", Gate.UNSUSPENDED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Save the StatefulSet's manifest in the ConfigMap " + ref.name()
                    + "-adopted and create the journal of ring " + order.clusterId();
        }
    }

    /// Adds a second peer URL to the member: the one that it will have. The existing URL stays.
    record AddPeerUrl(int ordinal) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("AddPeerUrl", Gate.GREEN).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Add a second peer URL to member " + ref.podName(ordinal) + ", under the Service " + ref.name()
                    + "-peer";
        }
    }

    /// Deletes the StatefulSet and leaves its pods. Until our StatefulSet exists, a lost pod is not
    /// recreated.
    record OrphanPods(AdoptionOrder order) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("OrphanPods", Gate.GREEN);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the StatefulSet " + ref.name()
                    + " and leave its pods running; a pod that is lost now is recreated only by the new StatefulSet";
        }

        @Override
        public String undo(ClusterRef ref) {
            return "by hand, with the manifest in the ConfigMap " + ref.name() + "-adopted";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(0);
        }
    }

    /// Puts our labels on pods and claims.
    record TakePods(AdoptionOrder order) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("TakePods", Gate.UNSUSPENDED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Label the pods and volume claims as managed by etcd-gitops";
        }
    }

    /// Creates our StatefulSet with the former pod template, and waits until it owns every pod.
    record RecreateStatefulSet(int size) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("RecreateStatefulSet", Gate.UNSUSPENDED).within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the StatefulSet " + ref.name() + " with the former pod template and wait until it owns the "
                    + size + " pods";
        }

        @Override
        public String undo(ClusterRef ref) {
            return "by hand, with the manifest in the ConfigMap " + ref.name() + "-adopted";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(size);
        }
    }

    /// Recreates our StatefulSet around its running pods, with our template instead of the former one, for
    /// a member that must be replaced before the roll ends. No member restarts. After it the roll cannot be
    /// undone.
    record RenewStatefulSet(int size) implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("RenewStatefulSet", Gate.UNSUSPENDED)
                    .undo("no: the rollout to our template continues from here")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Recreate the StatefulSet with our pod template around the " + size
                    + " running pods: no new member starts from the former template";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(size).withPartition(size);
        }
    }

    /// Puts our labels on the Service with the name of the client Service, if it exists.
    record TakeService() implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("TakeService", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Label the Service " + ref.name() + " as managed by etcd-gitops, if it exists";
        }
    }

    /// Journals that nothing of the former setup is in the way any more.
    record CloseAdoption() implements AdoptStep {
        @Override
        public Facts facts() {
            return Facts.of("CloseAdoption", Gate.EXPECTED).undo("not needed");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the adoption is complete";
        }
    }
}
