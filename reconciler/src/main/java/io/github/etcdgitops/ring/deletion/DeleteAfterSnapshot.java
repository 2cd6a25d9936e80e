package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.backup.BackupStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Deletes a ring together with its volumes, after a snapshot of all its data is stored and read back.
/// Nothing is touched before that, and no volume is deleted until the snapshot is confirmed once more.
///
/// It does not delete a ring that clients still write to: what they write after the snapshot would be lost.
///
/// A failure leaves a journal that says so, with the snapshot if there is one. The next run continues. If
/// the document is back and no volume is deleted, it undoes the deletion.
public record DeleteAfterSnapshot(
        ClusterRef ref,
        EtcdId clusterId,
        SortedMap<Integer, String> claims,
        EtcdVersion version,
        int returns,
        Last last,
        String why)
        implements Deletion {
    /// The snapshot to take. `taken` where it exists, is journalled, and nothing was written since.
    public record Last(BackupOrder order, boolean taken) {}

    public DeleteAfterSnapshot {
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    @Override
    public int members() {
        return claims.size();
    }

    @Override
    public String kind() {
        return "DeleteAfterSnapshot";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(
                RequestedBy.Document.TOMBSTONES,
                new RequestedBy.Policy(last.order().policy()));
    }

    @Override
    public String target() {
        return "deleted clusterId=" + clusterId + " data=deleted after a snapshot by policy="
                + last.order().policy() + DeleteCluster.after(returns);
    }

    @Override
    public Resolved resolved() {
        return Resolved.backup(last.order()).and("claims", claims);
    }

    @Override
    public Risk risk() {
        return Risk.DESTRUCTIVE;
    }

    @Override
    public String reason() {
        return "its document is gone, and a tombstone asks to delete it with its data: " + why;
    }

    @Override
    public String summary() {
        return "delete the ring of " + claims.size() + " with cluster ID " + clusterId
                + " and its volumes, after a last snapshot to "
                + last.order().destination().title();
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new DeleteStep.BeginDeletion(why, id(), RetainedRing.Volumes.DOOMED));
        if (!last.taken()) {
            steps.add(new SnapshotStep.AwaitQuiet());
            steps.add(new BackupStep.SaveSnapshot(last.order()));
            steps.add(new BackupStep.CertifyBackup(last.order(), id()));
            steps.add(new SnapshotStep.ProveSnapshot(last.order(), id()));
        }
        steps.add(new DeleteStep.CutClients());
        steps.add(new DeleteStep.CompareMembers());
        steps.add(new DeleteStep.StopMembers());
        steps.add(new DeleteStep.AwaitStopped(claims.size()));
        steps.add(new DeleteStep.KeepVolumes());
        steps.add(new DeleteStep.RemoveStatefulSet());
        steps.add(new DeleteStep.RemoveObjects());
        steps.add(new SnapshotStep.ConfirmSnapshot(last.order()));
        steps.add(new PurgeStep.BeginPurge(why, id(), claims));
        steps.add(new PurgeStep.DeleteClaims(claims));
        steps.add(new PurgeStep.AwaitClaimsGone(claims));
        steps.add(new PurgeStep.FinishPurge());
        return List.copyOf(steps);
    }
}
