package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;

/// Makes a ring that is out of space writable again. It compacts everything before the newest `kept`
/// revisions, defragments the members in `order` (the leader last), and disarms the alarms where that has
/// made room.
///
/// Applies while a NOSPACE alarm is raised and the ring of `members` has no other problem, or so few
/// members are away that it tolerates one more failed member: `order` does not include these. They compact
/// their history once they are back. Where there is no room afterwards, the alarms stay: all remaining data
/// is user data, and only users can delete it.
///
/// The id covers the ring and what is compacted, not the alarms, because alarms disappear one after the
/// other. A failure leaves the ring out of space as it was; the next run does the rest. `asked` is set
/// where the operation needs an approval.
public record FreeSpace(ClusterRef ref, EtcdId cluster, int members, List<Integer> order, long kept, boolean asked)
        implements Operation {
    public FreeSpace {
        order = List.copyOf(order);
    }

    @Override
    public String kind() {
        return "FreeSpace";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "space freed cluster=" + cluster + " kept=" + kept;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return Risk.MEDIUM;
    }

    @Override
    public Consent consent() {
        return asked ? Consent.NEEDED : Consent.PERMITTED;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return "the ring is out of space and accepts no writes";
    }

    @Override
    public String summary() {
        return "compact to the newest " + kept + " revisions, defragment " + Count.of(order.size(), "member")
                + " and allow writes again";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new MaintainStep.CompactHistory(kept));
        steps.add(new ObjectStep.BlockEvictions(members));
        for (int ordinal : order) {
            if (members > 1) {
                steps.add(new MaintainStep.HandOver(ordinal));
            }
            steps.add(new MaintainStep.MakeRoom(ordinal));
        }
        steps.add(new ObjectStep.SetBudget(Budget.of(members)));
        steps.add(new MaintainStep.DisarmSpace());
        steps.add(new MaintainStep.ProveWrites());
        return List.copyOf(steps);
    }
}
