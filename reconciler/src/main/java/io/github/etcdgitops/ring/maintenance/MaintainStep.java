package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Duration;
import java.util.Optional;

/// Steps that make the members' database files smaller, and make a ring that is out of space writable
/// again. A member does not answer while it is defragmented. A ring that is out of space is not healthy, so
/// each step itself checks what else must hold.
public sealed interface MaintainStep extends Step {
    /// Defragments the member if `unusedPercent` or more of its file is still free. Then waits until it
    /// answers, has caught up, and the leader is unchanged.
    record Defragment(int ordinal, int unusedPercent, long minimumSize) implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("Defragment", Gate.GREEN)
                    .undo("not needed: the data is the same")
                    .within(Duration.ofHours(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Defragment " + ref.podName(ordinal)
                    + ", which serves no requests during that time, and wait until it is healthy";
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MaintainGate.busy(ordinal, fresh);
        }
    }

    /// Compacts the history before the newest `kept` revisions, and waits until every voter has freed it.
    /// Current data stays; only its history is deleted.
    record CompactHistory(long kept) implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("CompactHistory", Gate.EXPECTED)
                    .undo("no: older revisions can no longer be read; the current keys stay")
                    .within(Duration.ofMinutes(30));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Compact the history except the newest " + kept
                    + " revisions and wait until every voter has freed the space";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MaintainGate.unwell(fresh);
        }
    }

    /// Moves the leadership off the member, if it is the leader, even while the ring is out of space.
    record HandOver(int ordinal) implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("HandOver", Gate.EXPECTED)
                    .undo("yes")
                    .within(Duration.ofMinutes(1))
                    .elects("one, if it leads");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Move the leadership away from " + ref.podName(ordinal) + " if it leads";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MaintainGate.unwell(fresh);
        }
    }

    /// Defragments the member if its file is near its quota, unless another member has shown that there is
    /// nothing to gain.
    record MakeRoom(int ordinal) implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("MakeRoom", Gate.EXPECTED)
                    .undo("not needed: the data is the same")
                    .within(Duration.ofHours(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Defragment " + ref.podName(ordinal)
                    + ", which serves no requests during that time, if its database file is near the quota";
        }

        @Override
        public Quorum during(RingModel before) {
            return before.quorumWithout(ordinal);
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MaintainGate.unwell(fresh).or(() -> MaintainGate.busy(ordinal, fresh));
        }
    }

    /// Disarms the alarms, if every voter's file leaves room below its quota.
    record DisarmSpace() implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("DisarmSpace", Gate.EXPECTED)
                    .undo("not needed: etcd raises them again when there is no space");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Disarm the NOSPACE alarms if every database file is below the quota";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MaintainGate.unwell(fresh);
        }
    }

    /// Sends every voter a write that takes no effect. A ring that is out of space would still refuse it.
    record ProveWrites() implements MaintainStep {
        @Override
        public Facts facts() {
            return Facts.of("ProveWrites", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check that every voter accepts writes again, without writing anything";
        }
    }

    /// How long a member may take to defragment a file of `bytes` bytes: a slow disk writes 4 MiB per
    /// second.
    default Duration forSize(long bytes) {
        var fitting = Duration.ofMinutes(2).plusSeconds(bytes / (4 << 20));
        return fitting.compareTo(deadline()) < 0 ? fitting : deadline();
    }
}
