package io.github.etcdgitops.report;

import io.github.etcdgitops.execute.ClusterResult;
import io.github.etcdgitops.execute.StepEvent;
import io.github.etcdgitops.step.StepResult;
import io.github.etcdgitops.step.Wording;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a run did, for machines (`schemas/run.schema.json`). Written anew only when a run did or refused
/// something.
public final class RunJson {
    private RunJson() {}

    /// `exitName` names the run's exit code; `commit` is the commit that the desired state came from.
    public record Run(String id, String commit, String planHash, String exitName, List<ClusterResult> results) {
        public Run {
            results = List.copyOf(results);
        }
    }

    public static String render(Run run) {
        var document = new TreeMap<String, Object>();
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("kind", "Run");
        document.put("id", run.id());
        document.put("commit", run.commit());
        document.put("planHash", run.planHash());
        document.put("exit", run.exitName());
        document.put("outcomeDigest", outcomeDigest(run.results()));
        document.put("clusters", run.results().stream().map(RunJson::cluster).toList());
        return Json.write(document);
    }

    /// Equal for runs that came to the same: rings, outcomes and reasons, without times and ids.
    public static String outcomeDigest(List<ClusterResult> results) {
        var outcomes = new TreeMap<String, Object>();
        results.stream()
                .filter(r -> r.outcome() != ClusterResult.Outcome.NOTHING)
                .forEach(r -> outcomes.put(r.ref().toString(), PlanJson.lower(r.outcome()) + " " + r.detail()));
        return Json.sha256(Json.write(outcomes));
    }

    private static Map<String, Object> cluster(ClusterResult result) {
        var cluster = new TreeMap<String, Object>();
        cluster.put("id", result.ref().toString());
        cluster.put("outcome", PlanJson.lower(result.outcome()));
        cluster.put("detail", result.detail());
        cluster.put("steps", result.events().stream().map(e -> step(result, e)).toList());
        return cluster;
    }

    private static Map<String, Object> step(ClusterResult result, StepEvent event) {
        var step = new TreeMap<String, Object>();
        step.put("operation", event.operationId());
        step.put("kind", event.operationKind());
        step.put("step", event.step().getClass().getSimpleName());
        step.put("action", Wording.of(event.step(), result.ref()));
        step.put("result", word(event.result()));
        step.put("detail", event.result().detail());
        step.put("began", event.began().toString());
        step.put("millis", event.took().toMillis());
        return step;
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
