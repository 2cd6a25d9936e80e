package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import java.util.List;

/// The plan of a run, its results, and the rings afterwards. `results` is empty for a dry run. `missing`
/// are the shards that had not ended in time: only the leader waits for them.
public record Ran(
        RunContext context, FleetPlan plan, List<ClusterResult> results, FleetPlan after, List<Integer> missing) {
    public Ran {
        results = List.copyOf(results);
        missing = List.copyOf(missing);
    }

    public Ran(RunContext context, FleetPlan plan, List<ClusterResult> results, FleetPlan after) {
        this(context, plan, results, after, List.of());
    }

    public static Ran dry(RunContext context, FleetPlan plan) {
        return new Ran(context, plan, List.of(), plan);
    }
}
