package io.github.etcdgitops.ring.founding;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.underway.Founding;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Steps that start a failed creation again. No client was admitted to the ring, so nothing is lost.
public sealed interface RefoundStep extends Step {
    /// Ends its pods, and deletes its StatefulSet and these claims, which have no volume, by their UIDs.
    record EndFounding(SortedMap<Integer, String> claims) implements RefoundStep {
        public EndFounding {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("EndFounding", Gate.UNSUSPENDED)
                    .undo("not needed: the ring never ran")
                    .within(Duration.ofMinutes(10));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the pods and the StatefulSet of the ring that did not start; no client has used it"
                    + (claims.isEmpty()
                            ? ""
                            : "; and delete the volume claims of "
                                    + claims.keySet().stream().map(ref::podName).collect(Collectors.joining(", "))
                                    + ", which have no volume");
        }

        @Override
        public RingModel apply(RingModel ring) {
            return RingModel.EMPTY;
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return Founding.obstacle(fresh);
        }
    }

    /// Journals a new creation in place of the failed one.
    record ReopenJournal(int size, EtcdVersion version, String operationId) implements RefoundStep {
        @Override
        public Facts facts() {
            return Facts.of("ReopenJournal", Gate.UNSUSPENDED).undo("not needed: the ring never ran");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the journal of a new ring of size " + size + " on etcd " + version + " in its place";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return Founding.obstacle(fresh).or(() -> notEmpty(fresh));
        }
    }

    private static Optional<String> notEmpty(ClusterState fresh) {
        boolean nothing =
                Observed.absent(fresh.kube().statefulSet()) && fresh.kube().podsGone();
        return nothing ? Optional.empty() : Optional.of("some objects of the creation still exist");
    }
}
