package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.ResetVolume;
import io.github.etcdgitops.operation.ResetVolume.Lost;
import io.github.etcdgitops.operation.ResetVolume.Standing;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
        var lost = new TreeMap<Integer, Lost>();
        lostClaims().forEach((ordinal, claim) -> lost.put(ordinal, new Lost(claim.uid(), standing(ordinal))));
        return reset(lost, mode() == Repairs.Mode.MANUAL);
    }

    /// What was begun is carried on, whatever the spec says of repairs by now: the ring lacks members.
    /// Where a new volume is lost as well, that is given up, too; and what others have lost since, where
    /// it may be done unasked.
    ResetVolume underWay(Intent.Replacement replacement) {
        var lost = new TreeMap<Integer, Lost>();
        replacement.formers().forEach((ordinal, former) -> {
            boolean member = ring.members().stream().anyMatch(m -> m.id().equals(former.member()));
            lost.put(ordinal, new Lost(former.claimUid(), member ? standing(ordinal) : Standing.REMOVED));
        });
        lostClaims().forEach((ordinal, claim) -> {
            var known = lost.get(ordinal);
            boolean anew = known == null ? mode() == Repairs.Mode.AUTOMATIC : !known.claimUid().equals(claim.uid());
            if (anew) {
                lost.put(ordinal, new Lost(claim.uid(), standing(ordinal)));
            }
        });
        return reset(lost, false);
    }

    private Standing standing(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                .map(m -> m.answers() ? Standing.SERVING : Standing.DOWN)
                .orElse(Standing.REMOVED);
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

    private ResetVolume reset(SortedMap<Integer, Lost> lost, boolean asked) {
        boolean learner =
                RingHealth.lowestVersion(ring).filter(EtcdVersion::hasLearners).isPresent();
        return new ResetVolume(spec.ref(), lost, members, learner, asked);
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
