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

/// Deletes the retained volumes of a deleted ring, because a tombstone asks for it. This cannot be undone:
/// without a backup, their data is lost.
///
/// `claims` are those that the ring's journal names, UID by ordinal, and those of members that left
/// earlier. No other claim is touched, whatever its name. `returns` is as in [DeleteCluster].
///
/// A failure leaves a journal that says so. The next run continues with the remaining claims.
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
