package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.ring.roll.Configuration;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// Wishes for volumes that are not carried out, and what waits for them.
final class StorageFindings {
    private StorageFindings() {}

    static List<Finding> of(EtcdClusterSpec spec, ClusterState state) {
        var growth = VolumeGrowth.of(spec, state.kube(), state.classes());
        var findings = new ArrayList<Finding>();
        growth.refusals().forEach(r -> findings.add(new Finding(Level.ERROR, r.code(), r.message())));
        var quota = spec.server().options().get(Configuration.QUOTA);
        var has = state.kube().appliedOr(spec.server()).options().get(Configuration.QUOTA);
        if (!growth.feasible() && !Objects.equals(quota, has)) {
            findings.add(new Finding(
                    Level.NOTE,
                    "quota-waits",
                    "/spec/etcd/quotaBackendBytes stays as it is until the volumes are as large as the spec asks"));
        }
        return findings;
    }

    /// A warning and no more: somebody may make volumes of a class that is only a name.
    static Optional<Finding> missingClass(EtcdClusterSpec spec, ClusterState state) {
        return VolumeGrowth.classOfNewClaims(spec, state.kube())
                .filter(name -> Observed.known(Expansion.NO_SUCH_CLASS)
                        .equals(state.classes().get(name)))
                .map(name -> new Finding(
                        Level.WARNING,
                        "storage-class-missing",
                        "/spec/storage/storageClassName: there is no StorageClass " + name
                                + " in this Kubernetes cluster. Create it, or name another one before the ring is"
                                + " founded; claims of it stay Pending unless somebody makes volumes of that name by"
                                + " hand"));
    }

    /// Claims beyond the members 0 to `members`-1 that no join is about to take: they hold what members
    /// that have left had, or what somebody put there, and are never deleted unasked.
    static Optional<Finding> leftOver(EtcdClusterSpec spec, ClusterState state, int members) {
        var left = state.kube().claims().optional().orElseThrow().tailMap(Math.max(members, spec.size()));
        if (left.isEmpty()) {
            return Optional.empty();
        }
        boolean released = left.values().stream().allMatch(KubeState.ClaimState::released);
        String names = left.values().stream()
                .map(claim -> claim.name() + " (" + claim.storage().size() + ")")
                .collect(Collectors.joining(", "));
        return Optional.of(
                released
                        ? new Finding(
                                Level.NOTE,
                                "claims-kept",
                                names + ": of members that have left, kept with what is on them. A member that joins"
                                        + " there again begins in a directory of its own. Once nobody needs the data,"
                                        + " delete them with kubectl")
                        : new Finding(
                                Level.WARNING,
                                "claims-of-nobody",
                                names + ": of no member of this ring, and not all of them of one that has left. Find"
                                        + " out whose they are; nothing is done about them"));
    }
}
