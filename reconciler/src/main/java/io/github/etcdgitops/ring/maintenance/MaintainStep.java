package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Duration;
import java.util.Optional;

/// Steps by which the members' database files are made smaller, and a ring that is out of space gets back
/// to writing. A member that is defragmented answers nobody until it is done. A ring that is out of space is
/// not green: what else must hold is asked by each step itself.
public sealed interface MaintainStep extends Step {
    /// Has the member write its file anew without the free space in it, if that is still `unusedPercent`
    /// or more, and waits until it answers, has caught up, and the same one leads.
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

    /// Forgets what was before the newest `kept` revisions, and waits until every voter has freed it.
    /// What is there now stays: only how it came to be is forgotten.
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

    /// Moves the leadership off the member, if it has it, also while the ring is out of space.
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

    /// Has the member write its file anew, if that is near its quota and no other member's has shown that
    /// there is nothing to be gained.
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

    /// Takes the alarms back, if every voter's file leaves room below its quota.
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

    /// Has every voter be asked for a write that does not take place: it would be refused out of space
    /// all the same.
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

    /// How long a member may take to write a file of so many bytes anew: a slow disk does 4 MiB a second.
    default Duration forSize(long bytes) {
        var fitting = Duration.ofMinutes(2).plusSeconds(bytes / (4 << 20));
        return fitting.compareTo(deadline()) < 0 ? fitting : deadline();
    }
}
