package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.ring.roll.Configuration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Departure;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// Requests for volumes that are not carried out, and what waits for them.
public final class StorageFindings {
    private StorageFindings() {}

    public static List<Finding> of(EtcdClusterSpec spec, ClusterState state) {
        var growth = VolumeGrowth.of(spec, state.kube(), state.classes());
        var findings = new ArrayList<Finding>();
        growth.refusals().forEach(r -> findings.add(new Finding(Level.ERROR, r.code(), r.message())));
        var quota = spec.server().options().get(Configuration.QUOTA);
        var has = state.kube().appliedOr(spec.server()).options().get(Configuration.QUOTA);
        if (!growth.feasible() && !Objects.equals(quota, has)) {
            findings.add(new Finding(
                    Level.NOTE,
                    FindingCode.QUOTA_WAITS,
                    "/spec/etcd/quotaBackendBytes takes effect when the volumes have the size in the spec"));
        }
        return findings;
    }

    /// Only a warning: volumes may be created by hand for a class that is only a name.
    public static Optional<Finding> missingClass(EtcdClusterSpec spec, ClusterState state) {
        return VolumeGrowth.classOfNewClaims(spec, state.kube())
                .filter(name -> Observed.known(Expansion.NO_SUCH_CLASS)
                        .equals(state.classes().get(name)))
                .map(name -> new Finding(
                        Level.WARNING,
                        FindingCode.STORAGE_CLASS_MISSING,
                        "/spec/storage/storageClassName: the StorageClass " + name
                                + " does not exist in this Kubernetes cluster. Create it, or name another one"
                                + " before the ring is created. Its claims stay Pending, unless volumes"
                                + " of that class are created by hand"));
    }

    private static String end(EtcdClusterSpec spec, Collection<KubeState.ClaimState> left) {
        var after = spec.declaration().handling().maintenance().deleteLeftAfter();
        if (after.isEmpty()) {
            return "When the data is no longer needed, delete them: kubectl -n "
                    + spec.ref().namespace() + " delete pvc "
                    + left.stream().map(KubeState.ClaimState::name).collect(Collectors.joining(" "))
                    + "; or set /spec/storage/retention/whenScaled to Delete";
        }
        return "/spec/storage/retention deletes them when the ring is healthy and nothing else is to be done: "
                + left.stream()
                        .map(claim -> claim.name() + " "
                                + claim.departure()
                                        .flatMap(Departure::at)
                                        .map(at -> "from " + at.plus(after.get()) + " on")
                                        .orElse("after its departure date has been recorded"))
                        .collect(Collectors.joining(", "));
    }

    /// Claims beyond the members 0 to `members`-1 that no join is about to use. They hold the data of
    /// removed members, or data of others, and are never deleted without approval.
    public static Optional<Finding> leftOver(EtcdClusterSpec spec, ClusterState state, int members) {
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
                                FindingCode.CLAIMS_KEPT,
                                names + ": these claims belong to former members and are kept with their data. A"
                                        + " member that joins there again starts in a new directory. "
                                        + end(spec, left.values()))
                        : new Finding(
                                Level.WARNING,
                                FindingCode.CLAIMS_OF_NOBODY,
                                names + ": these claims belong to no member of this ring, and at least one of them"
                                        + " to no former member either. Find out who created them. etcd-gitops"
                                        + " leaves them alone"));
    }
}
