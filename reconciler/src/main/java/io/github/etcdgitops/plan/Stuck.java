package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.RingState;
import java.util.Optional;

/// Joins that will not come to an end by waiting.
final class Stuck {
    static final Optional<String> NONE = Optional.empty();

    private Stuck() {}

    /// Why a join that was begun must be begun anew: its member does not answer, and its container
    /// fails again and again or has lost its volume. What it had copied is worth nothing; the other
    /// members have it all.
    static Optional<String> join(ClusterState state, int ordinal, RingState ring) {
        var member = Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal));
        if (member.filter(MemberState::answers).isPresent() || member.isEmpty()) {
            return Optional.empty();
        }
        var pod = state.kube().pods().optional().flatMap(pods -> Optional.ofNullable(pods.get(ordinal)));
        return lostClaim(state, ordinal)
                .or(() -> pod.filter(p -> !p.ready() && p.restarts() >= Failing.RESTARTS)
                        .map(p -> p.name() + " was to join, and its container was started again " + p.restarts()
                                + " times without coming up: the join is begun anew"));
    }

    static Optional<String> lostClaim(ClusterState state, int ordinal) {
        return state.kube()
                .claims()
                .optional()
                .flatMap(claims -> Optional.ofNullable(claims.get(ordinal)))
                .filter(ClaimState::lost)
                .map(claim -> "the volume of " + claim.name()
                        + " is gone, so no member can join on it. Delete the claim, once you know why: kubectl -n "
                        + state.ref().namespace() + " delete pvc " + claim.name());
    }
}
