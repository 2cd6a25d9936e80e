package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;

/// Moves the members one after the other to another etcd release: another patch of the running minor
/// version, or the next minor version. An upgrade over several minor versions is a chain of these.
///
/// Until the last member restarts, the ring has mixed versions, and any member can go back. When the last
/// one runs the next minor version, etcd raises the cluster version, and from then on no member can go
/// back alone: from 3.6 on the whole ring can, by a [DowngradeVersion].
///
/// A failure leaves a ring in which at most one member is away. The next run continues, or rolls back where
/// that member cannot start.
public record UpgradeVersion(ClusterRef ref, Roll roll, int attempt) implements VersionChange {
    @Override
    public String kind() {
        return "UpgradeVersion";
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

    /// Whether the ring has learners after these upgrades, although it has none now.
    public static boolean leadToLearners(List<Operation> upgrades) {
        return !upgrades.isEmpty()
                && upgrades.getLast() instanceof UpgradeVersion last
                && last.roll().target().version().hasLearners();
    }
}
