package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Optional;

/// Steps by which the members of a running ring are restarted one after the other, with another
/// template or another configuration. A member is restarted by lowering the StatefulSet's partition to
/// its ordinal, so the highest comes first and ordinal 0 last.
public sealed interface RollStep extends Step.OfRoll {
    /// Journals what the members are to be configured with.
    record BeginRoll(Journal.Applied target, String operationId) implements RollStep {}

    /// Moves the leadership to the member: the one that is restarted last, so that it moves but once
    /// more. `still` says that it leads already, unless something else has happened meanwhile.
    record LeadFrom(int ordinal, boolean still) implements RollStep {}

    /// Writes the pod template while the partition is pinned: no pod gets it by that.
    record WriteTemplate(Journal.Applied target) implements RollStep {}

    /// Writes the sealed file with which the member starts the next time. Whichever of both versions
    /// reads it, it knows what it needs of it and passes over the rest.
    record WriteMemberFile(int ordinal, Journal.Applied target) implements RollStep {}

    /// Lowers the partition by one. The controller does not ask the disruption budget for that.
    record RestartMember(int ordinal) implements RollStep {}

    /// Waits until the member is back with the StatefulSet's newest template and this version, under
    /// its old ID, and has caught up. Fails at once where it cannot come up by waiting.
    record AwaitRolled(int ordinal, EtcdVersion version) implements RollStep {}

    /// Compares the member's data with another one's, by hash at one revision.
    record CompareMember(int ordinal) implements RollStep {}

    /// Watches the ring for a while before the next member is restarted.
    record Soak(Duration time) implements RollStep {}

    /// Waits until every member says that the ring as a whole is of the version's line. From then on no
    /// member can go back.
    record AwaitClusterVersion(EtcdVersion version) implements RollStep {}

    /// Pins the partition again, once the controller calls the new template the current one. Earlier, a
    /// pod that is made anew would get the old one.
    record PinPartition(int replicas) implements RollStep {}

    /// Journals that the members are configured with `target`, and that nothing is under way any more.
    record FinishRoll(Journal.Applied target) implements RollStep {}

    /// What takes a roll back.
    sealed interface Back extends RollStep {}

    /// Journals that the roll under way is taken back, and the `failure` that it came to, if any.
    /// Refused once the ring as a whole is of the line that it was rolled to.
    record BeginUnroll(Optional<String> failure) implements Back {}

    /// Puts the former template back and pins the partition, in one write.
    record ReinstateTemplate(int replicas) implements Back {}

    /// Deletes the member's pod, which the controller makes anew from the former template. Where the
    /// member is away anyhow, nothing is taken from the ring by that.
    record ReplacePod(int ordinal) implements Back {}

    /// Waits until every member has the former template and is well, and journals that nothing is under
    /// way any more. A roll that failed is not begun again as it was.
    record FinishUnroll(int size) implements Back {}

    @Override
    default Gate gate() {
        return switch (this) {
            case LeadFrom _, WriteTemplate _, RestartMember _ -> Gate.GREEN;
            // Not of itself: whoever is replaced need not be well. Its own gate looks at the others.
            case ReplacePod _ -> Gate.EXPECTED;
            case BeginRoll _, WriteMemberFile _, PinPartition _, BeginUnroll _, ReinstateTemplate _ -> Gate.EXPECTED;
            case AwaitRolled _, CompareMember _, Soak _, AwaitClusterVersion _, FinishRoll _, FinishUnroll _ ->
                Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case AwaitRolled _, FinishUnroll _ -> Duration.ofMinutes(10);
            case CompareMember _ -> Duration.ofMinutes(30);
            case Soak(Duration time) -> time.plusMinutes(1);
            case BeginRoll _, LeadFrom _, WriteTemplate _, WriteMemberFile _, RestartMember _ -> Duration.ofMinutes(2);
            case AwaitClusterVersion _, PinPartition _, FinishRoll _ -> Duration.ofMinutes(2);
            case BeginUnroll _, ReinstateTemplate _, ReplacePod _ -> Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case RestartMember(int ordinal) -> ring.withPartition(Math.min(ring.partition(), ordinal));
            case PinPartition(int replicas) -> ring.withPartition(replicas);
            case ReinstateTemplate(int replicas) -> ring.withPartition(replicas);
            case BeginRoll _, LeadFrom _, WriteTemplate _, WriteMemberFile _, CompareMember _ -> ring;
            case AwaitRolled(int ordinal, var unused) -> ring.back(ordinal);
            case Soak _, AwaitClusterVersion _, FinishRoll _, BeginUnroll _, ReplacePod _, FinishUnroll _ -> ring;
        };
    }

    /// The member is away from the moment it is told to stop until it is back.
    @Override
    default Quorum during(RingModel before) {
        return switch (this) {
            case RestartMember(int ordinal) -> before.quorumWithout(ordinal);
            case AwaitRolled(int ordinal, var unused) -> before.quorumWithout(ordinal);
            case ReplacePod(int ordinal) -> before.quorumWithout(ordinal);
            case BeginRoll _, LeadFrom _, WriteTemplate _, WriteMemberFile _, CompareMember _, Soak _ ->
                before.quorum();
            case AwaitClusterVersion _, PinPartition _, FinishRoll _, FinishUnroll _ -> before.quorum();
            case BeginUnroll _, ReinstateTemplate _ -> before.quorum();
        };
    }
}
