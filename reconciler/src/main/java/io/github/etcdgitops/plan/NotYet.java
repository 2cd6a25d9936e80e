package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Quantity;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Wishes of a spec that no operation carries out so far: named, so that nobody believes them done.
final class NotYet {
    private NotYet() {}

    static List<Finding> findings(EtcdClusterSpec spec, ClusterState state) {
        var findings = new ArrayList<Finding>();
        spec.declaration().notYet().forEach(n -> findings.add(notYet(n.pointer() + ": " + n.what())));
        findings.addAll(storage(spec, state));
        findings.addAll(
                Gates.findings(spec, state.kube().appliedOr(spec.server()).version()));
        return findings;
    }

    /// Volumes are as large as they were made. A spec without a class takes whatever class they have.
    private static List<Finding> storage(EtcdClusterSpec spec, ClusterState state) {
        var wanted = spec.storage();
        var claimed = state.kube().claims().optional().orElseGet(TreeMap::new).values().stream()
                .filter(claim -> !claim.released())
                .map(KubeState.ClaimState::storage)
                .toList();
        var findings = new ArrayList<Finding>();
        claimed.stream()
                .map(EtcdClusterSpec.Storage::size)
                .filter(size -> !Quantity.parse(size).equals(Quantity.parse(wanted.size())))
                .findFirst()
                .ifPresent(size -> findings.add(otherSize(size, wanted.size())));
        claimed.stream()
                .flatMap(storage -> storage.storageClassName().stream())
                .filter(name ->
                        wanted.storageClassName().filter(w -> !w.equals(name)).isPresent())
                .findFirst()
                .ifPresent(name -> findings.add(notYet("/spec/storage/storageClassName: " + name + " → "
                        + wanted.storageClassName().orElse(""))));
        return findings;
    }

    private static Finding otherSize(String has, String wanted) {
        boolean smaller = Quantity.parse(wanted)
                .flatMap(w -> Quantity.parse(has).map(h -> w.compareTo(h) < 0))
                .orElse(false);
        return smaller
                ? new Finding(
                        Level.ERROR,
                        "storage-shrinks",
                        "/spec/storage/size: " + has + " → " + wanted + ": a volume never shrinks. Set it to " + has
                                + " again; or found a new ring with smaller volumes from a backup of this one")
                : notYet("/spec/storage/size: " + has + " → " + wanted);
    }

    private static Finding notYet(String what) {
        return new Finding(Level.NOTE, "not-carried-out-yet", what + " is not carried out by this version yet");
    }
}
