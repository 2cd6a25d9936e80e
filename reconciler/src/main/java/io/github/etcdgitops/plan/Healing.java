package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.ResetVolume;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What of a ring of `members` must be mended before anything else is done to it.
record Healing(EtcdClusterSpec spec, ClusterState state, int members, RingState ring) {
    /// Whether some member's volume is lost and may be replaced.
    boolean due() {
        return mode() != Repairs.Mode.OFF && !lostClaims().isEmpty();
    }

    /// Members whose volume is lost.
    Set<Integer> lost() {
        return lostClaims().keySet();
    }

    ResetVolume operation() {
        return reset(uids(lostClaims()), new TreeSet<>(), mode() == Repairs.Mode.MANUAL);
    }

    /// What was begun is carried on, whatever the spec says of repairs by now: the ring lacks members.
    /// Where a new volume is lost as well, that is given up, too; and what others have lost since, where
    /// it may be done unasked.
    ResetVolume underWay(Intent.Replacement replacement) {
        var claims = new TreeMap<Integer, String>();
        var removed = new TreeSet<Integer>();
        replacement.formers().forEach((ordinal, former) -> claims.put(ordinal, former.claimUid()));
        var lost = uids(lostClaims());
        lost.keySet().removeIf(o -> mode() != Repairs.Mode.AUTOMATIC && !claims.containsKey(o));
        claims.putAll(lost);
        replacement.formers().forEach((ordinal, former) -> {
            boolean same = former.claimUid().equals(claims.get(ordinal));
            if (same ? !isMember(former.member()) : !ring.byOrdinal(spec.ref()).containsKey(ordinal)) {
                removed.add(ordinal);
            }
        });
        return reset(claims, removed, false);
    }

    private boolean isMember(EtcdId id) {
        return ring.members().stream().anyMatch(m -> m.id().equals(id));
    }

    private static TreeMap<Integer, String> uids(SortedMap<Integer, ClaimState> claims) {
        var uids = new TreeMap<Integer, String>();
        claims.forEach((ordinal, claim) -> uids.put(ordinal, claim.uid()));
        return uids;
    }

    List<Finding> findings() {
        return lostClaims().values().stream().map(this::finding).toList();
    }

    private Finding finding(ClaimState claim) {
        String lost = "the volume of the claim " + claim.name() + " is lost";
        return switch (mode()) {
            case AUTOMATIC, MANUAL -> new Finding(Level.WARNING, "volume-lost", lost);
            case OFF ->
                new Finding(
                        Level.ERROR,
                        "volume-lost",
                        lost + "; set /spec/repair/volumes to manual or automatic to have its member replaced");
        };
    }

    private ResetVolume reset(SortedMap<Integer, String> claims, SortedSet<Integer> removed, boolean asked) {
        boolean learner =
                RingHealth.lowestVersion(ring).filter(EtcdVersion::hasLearners).isPresent();
        return new ResetVolume(spec.ref(), claims, removed, members, learner, asked);
    }

    private SortedMap<Integer, ClaimState> lostClaims() {
        return claims().entrySet().stream()
                .filter(claim -> claim.getKey() < members && claim.getValue().lost())
                .collect(Collectors.toMap(c -> c.getKey(), c -> c.getValue(), (a, _) -> a, TreeMap::new));
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseThrow();
    }

    private Repairs.Mode mode() {
        return spec.declaration().handling().repairs().volumes();
    }
}
