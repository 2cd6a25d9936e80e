package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Steps that give a member that does not start another pod, with its existing data.
public sealed interface RestartStep extends Step {
    /// Journals that the pod of a member that does not start is about to be deleted, so that the attempt
    /// counts once: `number` includes this one.
    record NoteTry(int ordinal, String pod, int number) implements RestartStep {
        @Override
        public Facts facts() {
            return Facts.of("NoteTry", Gate.EXPECTED).undo("not needed: the member starts on the data it has");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that pod number " + number + " of " + ref.podName(ordinal)
                    + ", which does not start, is deleted: " + pod;
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.standing(fresh, 0).or(() -> ReplaceGate.startsAgain(ordinal, pod, fresh));
        }
    }

    /// Deletes that pod, by its UID, if its container still exits again and again.
    record FreePod(int ordinal, String pod) implements RestartStep {
        @Override
        public Facts facts() {
            return Facts.of("FreePod", Gate.EXPECTED).undo("not needed: the member starts on the data it has");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete the pod " + pod + " of " + ref.podName(ordinal)
                    + " if its container still exits again and again";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.standing(fresh, 0).or(() -> ReplaceGate.startsAgain(ordinal, pod, fresh));
        }
    }

    /// Writes the file of a member that is down so that etcd does not compare its data with its peers' at
    /// the next start, if two members that answer have different data. First it moves the leadership to a
    /// member that is not in `wrong`: the restarted member may get the leader's data. Where `wrong` is
    /// empty, the member's own data shows who differs from a majority of all voters, by what
    /// [WitnessInspectionStep] found on its volume.
    record LeaveOutCheck(int ordinal, SortedSet<EtcdId> wrong) implements RestartStep {
        public LeaveOutCheck {
            wrong = Collections.unmodifiableSortedSet(new TreeSet<>(wrong));
        }

        @Override
        public Facts facts() {
            return Facts.of("LeaveOutCheck", Gate.EXPECTED)
                    .undo("not needed: it is enabled again when all members have the same data");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Move the leadership away from "
                    + (wrong.isEmpty() ? "the member that differs from a majority of all voters" : wrong)
                    + ", whose data is wrong, and disable InitialCorruptCheck in the configuration file of "
                    + ref.podName(ordinal) + " if two reachable members have different data";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return MemberGate.standing(fresh, 0).or(() -> ReplaceGate.comesUp(ordinal, fresh));
        }
    }
}
