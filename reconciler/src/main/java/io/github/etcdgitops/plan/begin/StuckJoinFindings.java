package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.underway.JoinAttempts;
import java.util.Optional;

/// Joins that will not complete by waiting.
public final class StuckJoinFindings {
    public static final String CLAIM_LOST = "claim-lost";
    public static final Optional<String> NONE = Optional.empty();

    private StuckJoinFindings() {}

    public static Optional<String> lostClaim(ClusterState state, int ordinal) {
        return JoinAttempts.gone(state, ordinal)
                .map(what -> what + ", so no member can join on it. When you know the cause, delete the claim:"
                        + " kubectl -n " + state.ref().namespace() + " delete pvc " + claim(state, ordinal));
    }

    static String claim(ClusterState state, int ordinal) {
        return state.kube().claim(ordinal).map(ClaimState::name).orElse("");
    }
}
