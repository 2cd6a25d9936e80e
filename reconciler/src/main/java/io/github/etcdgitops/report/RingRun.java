package io.github.etcdgitops.report;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.ring.StepResult;
import java.util.List;

/// The result of a run for one ring in the report: also a message between the processes of a sharded run.
public record RingRun(String id, Outcome outcome, String detail, List<StepRun> steps) {
    public RingRun {
        steps = List.copyOf(steps);
    }

    /// Something was done to the ring, or refused. Not named `is…`: the JSON would then have it as a field.
    public boolean hasNews() {
        return outcome != Outcome.NOTHING && outcome != Outcome.BUSY;
    }

    /// A step in the report's terms.
    public record StepRun(
            String operation, String kind, String step, String action, String result, String detail, Time time) {}

    /// When it started, in ISO 8601, and how long it took.
    public record Time(String began, long millis) {}

    public static RingRun of(ClusterResult result) {
        return new RingRun(
                result.ref().toString(),
                result.outcome(),
                result.detail(),
                result.events().stream().map(e -> step(result, e)).toList());
    }

    private static StepRun step(ClusterResult result, StepEvent event) {
        return new StepRun(
                event.operationId(),
                event.operationKind(),
                event.step().name(),
                event.step().text(result.ref()),
                word(event.result()),
                event.result().detail(),
                new Time(event.began().toString(), event.took().toMillis()));
    }

    public static String word(StepResult result) {
        return switch (result) {
            case StepResult.Done _ -> "done";
            case StepResult.AlreadySo _ -> "already so";
            case StepResult.Held _ -> "held";
            case StepResult.Failed _ -> "failed";
            case StepResult.Fenced _ -> "fenced";
        };
    }
}
