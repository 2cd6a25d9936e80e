package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.Step;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Starts a member without etcd's comparison of its data with its peers' (InitialCorruptCheck), where two
/// members that answer have different data at one revision: then the comparison fails whatever data the member
/// has, and says nothing about it. While it is down etcd lets nobody join, so that the member whose data
/// differs cannot be replaced.
///
/// A member that was away for long gets its data from the leader: so none of `wrong` leads, whose data is known to
/// differ from what the others have.
///
/// The comparison is back in the member's file as soon as all members have the same data (RepairObjects). A
/// failure leaves the member down, with the same data.
public record StartUnchecked(
        ClusterRef ref,
        int ordinal,
        EtcdId member,
        String pod,
        SortedSet<EtcdId> wrong,
        Consent consent,
        Optional<String> image)
        implements Operation {
    public StartUnchecked {
        wrong = Collections.unmodifiableSortedSet(new TreeSet<>(wrong));
    }

    @Override
    public String target() {
        return "started without InitialCorruptCheck ordinal=" + ordinal + " member=" + member + " wrong=" + wrong;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.and("image", image);
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
        return "the other members have different data, so that etcd's check at the start ends " + ref.podName(ordinal)
                + " whatever data it has";
    }

    @Override
    public String summary() {
        return "start " + ref.podName(ordinal) + " once without InitialCorruptCheck";
    }

    @Override
    public List<Step> steps() {
        return List.of(
                new ReplaceStep.LeaveOutCheck(ordinal, wrong),
                new ReplaceStep.FreePod(ordinal, pod),
                new Step.AwaitStarted(ordinal));
    }
}
