package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.RunJson;
import java.util.List;

/// Identifies a run: one environment, the documents of one commit, and the run's id.
public record RunContext(String environment, String commit, String runId) {
    public RunContext at(String other) {
        return new RunContext(environment, other, runId);
    }

    /// `exitName` names the exit code of the rings' results.
    public RunJson.Run ended(FleetPlan plan, String exitName, List<RingRun> rings) {
        return new RunJson.Run(runId, commit, PlanJson.hash(plan), exitName, rings);
    }
}
