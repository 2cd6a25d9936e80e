package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.ResetVolume;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import java.util.Comparator;
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

    /// Those that are dead already come first: with them the ring gets its tolerance back.
    List<ResetVolume> operations() {
        return lostClaims().entrySet().stream()
                .sorted(Comparator.comparing(lost -> answers(lost.getKey())))
                .map(lost -> reset(lost.getKey(), lost.getValue().uid(), mode() == Repairs.Mode.MANUAL))
                .toList();
    }

    /// What was begun is carried on, whatever the spec says of repairs by now: the ring lacks a member.
    /// If the new volume is lost as well, that is given up, too.
    List<ResetVolume> underWay(int ordinal, Intent.Replacement replacement) {
        String givenUp =
                claim(ordinal).filter(ClaimState::lost).map(ClaimState::uid).orElse(replacement.claimUid());
        return List.of(reset(ordinal, givenUp, false));
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

    private ResetVolume reset(int ordinal, String claimUid, boolean asked) {
        boolean learner =
                RingHealth.lowestVersion(ring).filter(EtcdVersion::hasLearners).isPresent();
        return new ResetVolume(spec.ref(), ordinal, members, claimUid, learner, asked);
    }

    private boolean answers(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                .filter(MemberState::answers)
                .isPresent();
    }

    private SortedMap<Integer, ClaimState> lostClaims() {
        return claims().entrySet().stream()
                .filter(claim -> claim.getKey() < members && claim.getValue().lost())
                .collect(Collectors.toMap(c -> c.getKey(), c -> c.getValue(), (a, _) -> a, TreeMap::new));
    }

    private Optional<ClaimState> claim(int ordinal) {
        return Optional.ofNullable(claims().get(ordinal));
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseThrow();
    }

    private Repairs.Mode mode() {
        return spec.declaration().handling().repairs().volumes();
    }
}
