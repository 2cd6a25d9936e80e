package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Deletes the volumes that were kept of a ring that was deleted, because a tombstone of it says so. This
/// is for good: what is on them is nowhere else, unless somebody has a backup.
///
/// `claims` are those that the ring's journal names, UID by ordinal, and those of members that had left
/// before; no other one is touched, whatever it is called. `returns` is as in [DeleteCluster].
///
/// A failure leaves a journal that says so. The next run carries on with what is left.
public record DeleteVolumes(
        ClusterRef ref,
        EtcdId clusterId,
        SortedMap<Integer, String> claims,
        EtcdVersion version,
        int returns,
        String why)
        implements Deletion {
    public DeleteVolumes {
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    @Override
    public int members() {
        return claims.size();
    }

    @Override
    public String kind() {
        return "DeleteVolumes";
    }

    @Override
    public String target() {
        return "volumes deleted clusterId=" + clusterId + " claims=" + String.join(",", claims.values())
                + DeleteCluster.after(returns);
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return Risk.DESTRUCTIVE;
    }

    @Override
    public String reason() {
        return "the ring was deleted, and a tombstone asks to delete its retained volumes: " + why;
    }

    @Override
    public String summary() {
        return "delete the " + claims.size() + " retained volumes of the ring with cluster ID " + clusterId;
    }

    @Override
    public List<Step> steps() {
        return List.of(
                new PurgeStep.BeginPurge(why, id(), claims),
                new PurgeStep.DeleteClaims(claims),
                new PurgeStep.AwaitClaimsGone(claims),
                new PurgeStep.FinishPurge());
    }
}
