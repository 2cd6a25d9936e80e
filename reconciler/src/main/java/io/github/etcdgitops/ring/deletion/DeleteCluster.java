package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;

/// Deletes a ring whose document is gone and that has a tombstone. Its data is retained, with everything
/// needed to bring it back: volume claims, journal, the members' files and Secrets.
///
/// `clusterId` is etcd's own ID of that ring. `returns` counts how often the ring was brought back since
/// its creation: an approval of one deletion is not valid for the next one. The journal counts a return
/// when it starts, so the number stays the same from the first run of a deletion to the last.
///
/// All members must be healthy and have the same data: only then is the retained data certainly complete.
///
/// A failure leaves a journal that says so. The next run continues, or undoes the deletion if the document
/// is back.
public record DeleteCluster(ClusterRef ref, EtcdId clusterId, int members, EtcdVersion version, int returns, String why)
        implements Deletion {
    @Override
    public String kind() {
        return "DeleteCluster";
    }

    @Override
    public String target() {
        return "deleted clusterId=" + clusterId + " data=retained" + after(returns);
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    static String after(int returns) {
        return returns == 0 ? "" : " returns=" + returns;
    }

    @Override
    public Risk risk() {
        return Risk.HIGH;
    }

    @Override
    public String reason() {
        return "its document is gone, and a tombstone asks to delete it: " + why;
    }

    @Override
    public String summary() {
        return "delete the ring of " + members + " with cluster ID " + clusterId + " and retain its volumes";
    }

    @Override
    public List<Step> steps() {
        return List.of(
                new DeleteStep.BeginDeletion(why, id(), RetainedRing.Volumes.KEPT),
                new DeleteStep.CutClients(),
                new DeleteStep.CompareMembers(),
                new DeleteStep.StopMembers(),
                new DeleteStep.AwaitStopped(members),
                new DeleteStep.KeepVolumes(),
                new DeleteStep.RemoveStatefulSet(),
                new DeleteStep.RemoveObjects(),
                new DeleteStep.FinishDeletion());
    }
}
