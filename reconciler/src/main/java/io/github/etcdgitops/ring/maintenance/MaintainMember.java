package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;

/// Defragments a member of a healthy ring of `members`: the member rewrites its database file without the
/// free space in it.
///
/// Applies where `when` says that it is worthwhile. The id covers the member and that condition, but no
/// time: the same operation comes back whenever there is as much free space. If it needs an approval, one
/// approval allows it each time until the approval expires.
///
/// A failure leaves a member that is defragmented or not; the next run checks how much space is free.
public record MaintainMember(ClusterRef ref, int ordinal, EtcdId member, int members, Maintenance.Defragment when)
        implements Operation {
    @Override
    public String kind() {
        return "MaintainMember";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.MAINTENANCE);
    }

    @Override
    public String target() {
        return "defragmented ordinal=" + ordinal + " member=" + member;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.and("unusedPercent", when.unusedPercent()).and("minimumSize", when.minimumSize());
    }

    /// A ring of one or two members cannot write while a member is defragmented.
    @Override
    public Risk risk() {
        return members <= 2 ? Risk.MEDIUM : Risk.LOW;
    }

    @Override
    public String reason() {
        return "at least " + when.unusedPercent() + " % of its database file is free space";
    }

    @Override
    public String summary() {
        return "defragment " + ref.podName(ordinal);
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new ObjectStep.BlockEvictions(members));
        if (members > 1) {
            steps.add(new MemberStep.YieldLeadership(ordinal));
        }
        steps.add(new MaintainStep.Defragment(ordinal, when.unusedPercent(), when.minimumSize()));
        steps.add(new ObjectStep.SetBudget(Budget.of(members)));
        return List.copyOf(steps);
    }
}
