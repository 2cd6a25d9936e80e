package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.state.KubeState.ClaimState;
import java.time.Instant;
import java.util.Optional;

/// Marks claims whose members have left.
public final class Departures {
    private Departures() {}

    /// The date is the later of the local clock's and the API server's: a clock that is behind would date it long ago,
    /// and what is deleted by its age would go at once.
    public static void mark(StepContext context, ClaimState claim) {
        Instant ours = context.now();
        var left = context.kube().serverTime().filter(ours::isBefore).orElse(ours);
        context.kube().markClaim(context.ref(), claim.name(), claim.uid(), Optional.of(left));
    }
}
