package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.founding.FoundStep;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.backup.BackupKey;
import java.util.ArrayList;
import java.util.List;

/// A new ring of one member whose data comes from a backup. The others join as in [ScaleOut].
///
/// Applies when an EtcdRestore names a ring of which reading each object by name found nothing, or when the
/// journal says that a restore is under way. It never restores over an existing ring or claim.
///
/// It verifies everything before it creates anything. A failure leaves a journal that says how far it is.
/// The next run continues, and puts the snapshot into another data directory when the last attempt did not
/// end well. Clients are admitted once the restored data is compared: with one member only, because whoever
/// restores waits for them.
public record RestoreCluster(ClusterRef ref, EtcdVersion version, Tls tls, RestoreOrder order, Blueprint blueprint)
        implements Operation {
    @Override
    public String kind() {
        return "RestoreCluster";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RESTORE, RequestedBy.Document.RING);
    }

    @Override
    public String target() {
        return "restored from=" + order.from() + " version=" + version
                + order.bumpRevision().map(by -> " bump=" + by).orElse("");
    }

    @Override
    public Resolved resolved() {
        return Resolved.ring(blueprint).from(Resolved.restore(order));
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    /// Whether the data is from a ring in another namespace, or its origin is unknown. Data that is already
    /// in the volume was permitted earlier.
    public boolean bringsForeignData() {
        return switch (order.source()) {
            case RestoreOrder.Stored.Certified(var unused, BackupKey backup, var alsoUnused) ->
                !backup.ring().namespace().equals(ref.namespace());
            case RestoreOrder.Stored.Bare _ -> true;
            case RestoreOrder.Source.Loaded _ -> false;
        };
    }

    @Override
    public String reason() {
        return order.asker() + " asks for it, and the ring does not exist in this Kubernetes cluster,"
                + " or its restore is in progress";
    }

    @Override
    public String summary() {
        return "restore " + order.backup().map(id -> "backup " + id + " from ").orElse("")
                + order.source().title()
                + " into a new ring on etcd " + version;
    }

    @Override
    public boolean beginsRing() {
        return true;
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new RestoreStep.VerifySource(order));
        steps.add(new RestoreStep.OpenRestore(order, version, id()));
        Around.certificates(tls).ifPresent(steps::add);
        steps.add(Around.members());
        steps.add(new RestoreStep.CreateClaim());
        steps.add(new RestoreStep.LoadSnapshot(order, id()));
        steps.add(new RestoreStep.EndRestoreJob());
        steps.add(new FoundStep.CreateStatefulSet(1));
        steps.add(new FoundStep.AwaitRing(1));
        steps.add(new RestoreStep.CompareData(order));
        steps.add(Around.clients());
        steps.add(new ObjectStep.SetBudget(Budget.of(1)));
        steps.add(new MemberStep.AwaitGreen());
        steps.add(new RestoreStep.RecordRestored());
        return List.copyOf(steps);
    }
}
