package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which a member's place is given to a new one on a new volume. The member's siblings are never
/// touched, and need not all be well: as many as it takes, at each step, for the ring to stay able to
/// write.
public sealed interface ReplaceStep extends Step.OfReplacement {
    int ordinal();

    /// Journals whose place is given away, and the UID of the claim that is given up. The new member gets
    /// a data directory of its own.
    record BeginReplacement(int ordinal, String claimUid, String operationId) implements ReplaceStep {}

    /// Moves the leadership off the member, if it still has it.
    record LeadElsewhere(int ordinal) implements ReplaceStep {}

    /// Removes the former member from the ring: its ID must never come back with an empty disk.
    record RemoveFormer(int ordinal) implements ReplaceStep {}

    /// Deletes the claim that is given up, by its UID, and the pod that holds on to it, and waits until
    /// the pod's controller has made both anew.
    record FreeVolume(int ordinal) implements ReplaceStep {}

    /// Adds the new member: as a learner, where etcd has learners.
    record AddNewcomer(int ordinal, boolean learner) implements ReplaceStep {}

    /// Lets the learner vote once the leader says it has caught up.
    record PromoteNewcomer(int ordinal) implements ReplaceStep {}

    /// Waits until the new member votes, answers and is ready.
    record AwaitNewcomer(int ordinal) implements ReplaceStep {}

    /// What the ring must be able to bear is asked of each step by itself: a sibling may be away.
    @Override
    default Gate gate() {
        return switch (this) {
            case BeginReplacement _, LeadElsewhere _, RemoveFormer _, FreeVolume _ -> Gate.EXPECTED;
            case AddNewcomer _, PromoteNewcomer _ -> Gate.EXPECTED;
            case AwaitNewcomer _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case BeginReplacement _, RemoveFormer _, AddNewcomer _ -> Duration.ofMinutes(2);
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
            case BeginReplacement _, LeadElsewhere _, FreeVolume _, AwaitNewcomer _ -> ring;
        };
    }

    /// The member counts as away until it is removed, and the new one until it has started.
    @Override
    default Quorum during(RingModel before) {
        int voters = apply(before).voters().size();
        return switch (this) {
            case BeginReplacement _, LeadElsewhere _ -> new Quorum(voters, voters - 1);
            case AddNewcomer(int unused, boolean learner) when !learner -> new Quorum(voters, voters - 1);
            case RemoveFormer _, FreeVolume _, AddNewcomer _, PromoteNewcomer _, AwaitNewcomer _ ->
                new Quorum(voters, voters);
        };
    }
}
