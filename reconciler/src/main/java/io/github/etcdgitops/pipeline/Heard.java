package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.policy.Hearing;
import java.util.List;

/// A plan, and the answer of every rule that was evaluated for it.
public record Heard(FleetPlan plan, List<Hearing> hearings) {
    public Heard {
        hearings = List.copyOf(hearings);
    }
}
