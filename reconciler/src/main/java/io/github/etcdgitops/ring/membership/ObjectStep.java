package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.ManagedObject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Steps that create or change Kubernetes objects around the members. They restart no member.
public sealed interface ObjectStep extends Step {
    /// Creates or repairs objects that follow from the spec; restarts nothing.
    record ApplyObjects(SortedSet<ManagedObject> objects) implements ObjectStep {
        public ApplyObjects {
            objects = Collections.unmodifiableSortedSet(new TreeSet<>(objects));
        }

        public static ApplyObjects of(ManagedObject object) {
            return new ApplyObjects(new TreeSet<>(List.of(object)));
        }

        @Override
        public Facts facts() {
            return Facts.of("ApplyObjects", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Apply " + objects.stream().map(ManagedObject::title).collect(Collectors.joining(", "));
        }
    }

    /// Sets the disruption budget: how many pods an eviction must leave.
    record SetBudget(int minAvailable) implements ObjectStep {
        @Override
        public Facts facts() {
            return Facts.of("SetBudget", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Set minAvailable of the disruption budget to " + minAvailable;
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withMinAvailable(minAvailable);
        }
    }

    /// Sets the budget to every pod and waits until the controller reports it, so that no eviction
    /// coincides with the next step.
    record BlockEvictions(int pods) implements ObjectStep {
        @Override
        public Facts facts() {
            return Facts.of("BlockEvictions", Gate.EXPECTED).undo("yes").within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Block evictions (minAvailable " + pods + ")";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withMinAvailable(pods);
        }
    }

    /// Sets replicas and partition together. Growing starts pods; shrinking ends pods that are no longer
    /// members.
    record SetReplicas(int replicas) implements ObjectStep {
        @Override
        public Facts facts() {
            return Facts.of("SetReplicas", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Scale the StatefulSet to " + Count.of(replicas, "replica");
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(replicas);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.replicas(replicas, fresh);
        }
    }
}
