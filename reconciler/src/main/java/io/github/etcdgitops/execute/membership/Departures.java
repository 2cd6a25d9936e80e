package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.state.KubeState.ClaimState;
import java.time.Instant;
import java.util.Optional;

/// Marks claims of removed members.
public final class Departures {
    private Departures() {}

    /// The date is the later of the local clock's and the API server's: a slow clock would date it long
    /// ago, and the claim could be deleted by its age at once.
    public static void mark(StepContext context, ClaimState claim) {
        Instant ours = context.now();
        var left = context.kube().serverTime().filter(ours::isBefore).orElse(ours);
        context.kube().markClaim(context.ref(), claim.name(), claim.uid(), Optional.of(left));
    }
}
