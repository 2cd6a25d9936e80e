package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;

/// Takes the members one after the other to another release of etcd: another patch of the line that
/// they run, or the next line. More than one line is a chain of these.
///
/// Until the last member was restarted the ring is a mixed one, in which any member can go back. When
/// the last one runs the next line, etcd raises the version of the ring as a whole, and from then on
/// none can.
///
/// A failure leaves a ring in which one member at most is away; the next run carries on, or takes the
/// roll back where that member cannot come up.
public record UpgradeVersion(ClusterRef ref, Roll roll, int attempt) implements Rolling {
    @Override
    public String kind() {
        return "UpgradeVersion";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return RequestedBy.again(
                List.of(RequestedBy.Part.VERSION, new RequestedBy.Image(roll.former(), roll.target())), attempt);
    }

    @Override
    public String target() {
        return "version=" + roll.target().version() + " image="
                + roll.target().image().orElse("") + " attempt=" + attempt;
    }

    @Override
    public Resolved resolved() {
        return roll.resolved();
    }

    @Override
    public String reason() {
        return "the spec asks for another version of etcd than the ring runs";
    }

    @Override
    public String summary() {
        return "upgrade etcd " + roll.former().version() + " → " + roll.target().version() + ": restart "
                + roll.order(ref);
    }

    @Override
    public List<Step> steps() {
        return roll.steps(ref, id());
    }
}
