package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// One run, for monitoring. `plan` shows the rings afterwards; it is empty when the run failed before it
/// had one. `apiCalls` counts requests to the API server by kind, as `list pods`.
public record RunFigures(
        Optional<FleetPlan> plan,
        List<ClusterResult> results,
        String exit,
        Instant began,
        Duration took,
        SortedMap<String, Long> apiCalls) {
    public RunFigures {
        results = List.copyOf(results);
        apiCalls = Collections.unmodifiableSortedMap(new TreeMap<>(apiCalls));
    }
}
