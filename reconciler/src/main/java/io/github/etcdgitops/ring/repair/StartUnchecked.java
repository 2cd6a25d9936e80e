package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Starts a member without etcd's comparison of its data with its peers' (InitialCorruptCheck), where two
/// members that answer have different data at one revision. Then the comparison fails whatever data the
/// member has, and says nothing about it. While the member is down, etcd admits no new member, so the
/// member whose data differs cannot be replaced.
///
/// Where it is not known whose data is wrong, the member's own data decides: its volume is inspected first,
/// and the member starts only if it and a majority of all voters have the same data.
///
/// A member that was away for long gets its data from the leader. So no member with wrong data may lead.
///
/// The comparison is back in the member's file as soon as all members have the same data (RepairObjects). A
/// failure leaves the member down, with the same data.
public record StartUnchecked(
        ClusterRef ref, int ordinal, EtcdId member, String pod, Wrong wrong, Consent consent, Optional<String> image)
        implements Operation {
    /// Whose data is wrong.
    public sealed interface Wrong {
        /// The data of these members.
        record Of(SortedSet<EtcdId> members) implements Wrong {
            public Of {
                members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
            }
        }

        /// The data on the member's volume, the one of this claim, shows it.
        record OnVolume(String claimUid) implements Wrong {}
    }

    @Override
    public String kind() {
        return "StartUnchecked";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "started without InitialCorruptCheck ordinal=" + ordinal + " member=" + member
                + switch (wrong) {
                    case Wrong.Of(var members) -> " wrong=" + members;
                    case Wrong.OnVolume(String claimUid) -> " volume=" + claimUid;
                };
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.image(image);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return "the other members have different data, so that etcd's check at its start stops " + ref.podName(ordinal)
                + " whatever data it has";
    }

    @Override
    public String summary() {
        String start = "start " + ref.podName(ordinal) + " once without InitialCorruptCheck";
        return switch (wrong) {
            case Wrong.Of _ -> start;
            case Wrong.OnVolume _ ->
                "inspect a copy of the volume of " + ref.podName(ordinal) + ", and if that shows whose data is wrong, "
                        + start;
        };
    }

    @Override
    public List<Step> steps() {
        return switch (wrong) {
            case Wrong.Of(var members) ->
                List.of(new RestartStep.LeaveOutCheck(ordinal, members), free(), new MemberStep.AwaitStarted(ordinal));
            case Wrong.OnVolume(String claimUid) ->
                List.of(
                        new WitnessInspectionStep(ordinal, claimUid, id()),
                        new RestartStep.LeaveOutCheck(ordinal, new TreeSet<>()),
                        free(),
                        new MemberStep.AwaitStarted(ordinal));
        };
    }

    private Step free() {
        return new RestartStep.FreePod(ordinal, pod);
    }
}
