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

/// Steps by which a member that does not come up gets another pod, on the data that it has.
public sealed interface RestartStep extends Step {
    /// Journals that the pod of a member that does not come up is about to be deleted, so that it is
    /// counted once: `number` with this one.
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

    /// Writes the file of a member that is down so that etcd does not compare its data with its peers'
    /// at the next start, if two members that answer have different data. First somebody leads who is
    /// none of `wrong`: the member may get the leader's data. Where `wrong` is empty, it is whom the
    /// member's own data shows to differ from a majority of all voters, by what [WitnessInspectionStep] has
    /// found on its volume.
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
