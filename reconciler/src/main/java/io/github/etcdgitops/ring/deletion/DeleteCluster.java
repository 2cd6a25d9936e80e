package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;

/// Takes a ring away whose document is gone and for which somebody has written a tombstone. Its data
/// stays, and all that it takes to bring it back with it: volume claims, journal, the members' files and
/// Secrets.
///
/// `clusterId` is etcd's own of the ring that is meant. `returns` counts how often it was asked for again
/// since it was founded: an approval of a deletion is none of the next one. The journal counts it when a
/// return begins, so that it is the same from the first run of a deletion to the last.
///
///  All members must be well and have the same data:
/// only then is what is kept known to be all there is.
///
/// A failure leaves a journal that says so. The next run carries on, or goes back where the document is
/// there again.
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
