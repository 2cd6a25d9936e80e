package io.github.etcdgitops.ring.founding;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.time.Duration;
import java.util.stream.IntStream;

/// Steps that create a ring that never existed.
public sealed interface FoundStep extends Step {
    /// Creates the journal. Its creation is the lock, and the proof that nothing of this name existed
    /// before.
    record OpenJournal(int size, EtcdVersion version, String operationId) implements FoundStep {
        @Override
        public Facts facts() {
            return Facts.of("OpenJournal", Gate.NONE).undo("by deleting the ring");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the namespace, if it does not exist, and the journal of a new ring of size " + size
                    + " on etcd " + version;
        }
    }

    /// Writes the file with which each member creates the ring. Unsafe to leave behind: the members are
    /// sealed as soon as the ring runs.
    record WriteFoundingConfigs(int size) implements FoundStep {
        @Override
        public Facts facts() {
            return Facts.of("WriteFoundingConfigs", Gate.NONE).undo("by deleting the ring");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write the initial configuration of " + Count.of(size, "member");
        }
    }

    record CreateStatefulSet(int size) implements FoundStep {
        @Override
        public Facts facts() {
            return Facts.of("CreateStatefulSet", Gate.EXPECTED).undo("by deleting the ring");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create the StatefulSet with " + Count.of(size, "replica");
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withReplicas(size);
        }
    }

    /// Waits until every initial member has started, agrees on the others and knows the leader.
    record AwaitRing(int size) implements FoundStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitRing", Gate.NONE)
                    .undo("changes nothing")
                    .within(Duration.ofMinutes(10))
                    .elects("the first one");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + Count.of(size, "member") + (size == 1 ? " has started" : " have started")
                    + " and elected a leader";
        }

        @Override
        public RingModel apply(RingModel ring) {
            return ring.withVoters(IntStream.range(0, size).boxed().toList());
        }
    }

    /// Journals the cluster ID and member IDs: from here on no run may create this ring again.
    record RecordRing(int size) implements FoundStep {
        @Override
        public Facts facts() {
            return Facts.of("RecordRing", Gate.NONE).undo("by deleting the ring");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record the cluster ID and the member IDs in the journal";
        }
    }
}
