package io.github.etcdgitops.step;

import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Steps by which members' places are given to new ones on new volumes. Their siblings are never touched,
/// and need not all be well for a member to be removed: as many as it takes for the ring to stay able to
/// write. For one to be added etcd wants every voter to be there.
public sealed interface ReplaceStep extends Step.OfReplacement {
    /// A claim that is given up, and why.
    record GivenUp(String claimUid, Intent.Why why) {
        public boolean lost() {
            return why == Intent.Why.LOST || why == Intent.Why.GONE || why == Intent.Why.MACHINE_GONE;
        }
    }

    /// Journals that the pod of a member that does not come up is about to be deleted, so that it is
    /// counted once: `number` with this one.
    record NoteTry(int ordinal, String pod, int number) implements ReplaceStep {}

    /// Deletes that pod, by its UID, if its container still ends again and again.
    record FreePod(int ordinal, String pod) implements ReplaceStep {}

    /// Writes the file of a member that is down so that etcd does not compare its data with its peers' at the
    /// next start, if two members that answer have different data. First somebody leads who is none of
    /// `wrong`: the member may get the leader's data. Where `wrong` is empty, it is whom the member's own
    /// data shows to differ from a majority of all voters, by what [LookStep] has found on its volume.
    record LeaveOutCheck(int ordinal, SortedSet<EtcdId> wrong) implements ReplaceStep {
        public LeaveOutCheck {
            wrong = Collections.unmodifiableSortedSet(new TreeSet<>(wrong));
        }
    }

    /// Journals that the machine which alone has the claim's volume is gone, or is no longer.
    record NoteMachine(int ordinal, String claimUid, String machine, boolean gone) implements ReplaceStep {}

    /// Journals whose places are given away, and the claims that are given up, by ordinal. Each new
    /// member gets a data directory of its own.
    record BeginReplacement(SortedMap<Integer, GivenUp> claims, String operationId) implements ReplaceStep {
        public BeginReplacement {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Moves the leadership off the member, if it still has it.
    record LeadElsewhere(int ordinal) implements ReplaceStep {}

    /// Removes the former member from the ring: its ID must never come back with an empty disk.
    record RemoveFormer(int ordinal) implements ReplaceStep {}

    /// Takes the alarm CORRUPT back, where those that are left have the same data. It outlives the member
    /// that it was raised for, and nobody writes or is ready before.
    record DisarmCorrupt() implements ReplaceStep {}

    /// Lowers the partition of a roll under way to a place whose member is gone, so that the new one starts
    /// from the new template. Nobody who is a member is restarted by that.
    record LowerPartition(int ordinal) implements ReplaceStep {}

    /// Deletes the claim that is given up, by its UID, and the pod that holds on to it, and waits until
    /// the pod's controller has made both anew.
    record FreeVolume(int ordinal) implements ReplaceStep {}

    /// Takes the pod out of Kubernetes, by its UID, without waiting for its silent machine to confirm that it has
    /// ended.
    record ReleasePod(int ordinal, String pod) implements ReplaceStep {}

    /// Adds the new member: as a learner, where etcd has learners.
    record AddNewcomer(int ordinal, boolean learner) implements ReplaceStep {}

    /// Deletes the pod once more where its container could not start before it had its file: a kubelet
    /// lets more and more time pass between its tries.
    record RenewPod(int ordinal) implements ReplaceStep {}

    /// Lets the learner vote once the leader says it has caught up.
    record PromoteNewcomer(int ordinal) implements ReplaceStep {}

    /// Waits until the new member votes, answers and is ready.
    record AwaitNewcomer(int ordinal) implements ReplaceStep {}

    /// Journals that nothing is under way any more.
    record FinishReplacement() implements ReplaceStep {}

    /// What the ring must be able to bear is asked of each step by itself: a sibling may be away.
    @Override
    default Gate gate() {
        return switch (this) {
            case BeginReplacement _, LeadElsewhere _, RemoveFormer _, DisarmCorrupt _, FreeVolume _ -> Gate.EXPECTED;
            case NoteTry _, FreePod _, LeaveOutCheck _, NoteMachine _, ReleasePod _ -> Gate.EXPECTED;
            case LowerPartition _, AddNewcomer _, RenewPod _, PromoteNewcomer _ -> Gate.EXPECTED;
            case AwaitNewcomer _, FinishReplacement _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case BeginReplacement _, RemoveFormer _, AddNewcomer _, RenewPod _, FinishReplacement _ ->
                Duration.ofMinutes(2);
            case LowerPartition _ -> Duration.ofMinutes(2);
            case DisarmCorrupt _, NoteTry _, FreePod _, LeaveOutCheck _, NoteMachine _, ReleasePod _ ->
                Duration.ofMinutes(2);
            case LeadElsewhere _ -> Duration.ofMinutes(1);
            case FreeVolume _, PromoteNewcomer _, AwaitNewcomer _ -> Duration.ofMinutes(5);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case RemoveFormer(int ordinal) -> ring.without(ordinal);
            case AddNewcomer(int ordinal, boolean learner) ->
                ring.has(ordinal) ? ring : learner ? ring.withLearner(ordinal) : ring.promoted(ordinal);
            case PromoteNewcomer(int ordinal) -> ring.promoted(ordinal);
            case LowerPartition(int ordinal) -> ring.withPartition(Math.min(ring.partition(), ordinal));
            case BeginReplacement _, LeadElsewhere _, DisarmCorrupt _, FreeVolume _, RenewPod _ -> ring;
            case AwaitNewcomer _, FinishReplacement _, NoteTry _, FreePod _, NoteMachine _, ReleasePod _ -> ring;
            case LeaveOutCheck _ -> ring;
        };
    }

    /// A voter that is added counts before its process runs.
    @Override
    default Quorum during(RingModel before) {
        var after = apply(before).quorum();
        boolean startsLater = this instanceof AddNewcomer(int ordinal, boolean learner)
                && !learner
                && !before.voters().contains(ordinal);
        return startsLater ? new Quorum(after.voters(), after.healthy() - 1) : after;
    }
}
