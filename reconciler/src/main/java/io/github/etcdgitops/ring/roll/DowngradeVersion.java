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
    /// etcd's own, for the versions that a downgrade begins at.
    private static final long USUAL_COUNT = 10_000;

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
                + ref.podName(0) + " restarts" + pause();
    }

    /// A member reads its log from its last snapshot on, before it rewrites its data (seen on 3.6.14: 0.6 to 0.8 s
    /// for 20,000 entries).
    private String pause() {
        return roll.former()
                .snapshotCount()
                .filter(count -> count > USUAL_COUNT)
                .map(count -> ". When it is announced, no write is applied until each member has read up to " + count
                        + " entries of its log (etcd.snapshotCount). Remove that option some time before, in a commit"
                        + " of its own, for a shorter pause")
                .orElse("");
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
