package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Risk;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Moves the members one after the other to the minor version before theirs, by etcd's own procedure.
///
/// The downgrade is announced to the ring first. etcd then lowers the cluster version, and each member
/// rewrites its data so that the earlier version can read it. Only when all have done so are they restarted.
/// When the last one runs the earlier version, etcd ends the downgrade by itself.
///
/// Until the last member restarts it can be cancelled: members of the later version start at any time. After
/// that the way back is an upgrade.
///
/// A failure leaves a ring in which at most one member is away. The next run continues, or cancels and rolls
/// back where that member cannot start.
public record DowngradeVersion(ClusterRef ref, Roll roll, int attempt) implements VersionChange {
    @Override
    public String kind() {
        return "DowngradeVersion";
    }

    /// Clients may depend on what they lose.
    @Override
    public Risk risk() {
        return Risk.HIGH;
    }

    @Override
    public String reason() {
        return "the spec asks for etcd " + roll.target().version().minorName() + ", and the ring runs etcd "
                + roll.former().version().minorName()
                + ". Clients lose what only the later version has. It can be cancelled until "
                + ref.podName(0) + " restarts";
    }

    @Override
    public String summary() {
        var lost = new TreeSet<>(roll.former().features());
        lost.removeAll(roll.target().features());
        return "downgrade etcd " + roll.former().version() + " → "
                + roll.target().version()
                + (lost.isEmpty()
                        ? ""
                        : " without feature gate "
                                + lost.stream().map(FeatureGate::toString).collect(Collectors.joining(", ")))
                + ": restart " + roll.order(ref);
    }

    @Override
    public List<Step> steps() {
        return roll.steps(ref, id());
    }
}
