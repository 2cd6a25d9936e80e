package io.github.etcdgitops.report;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.report.format.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The result of a run, for machines (`schemas/run.schema.json`). Only written when a run did or refused
/// something.
public final class RunJson {
    private RunJson() {}

    /// `exitName` names the run's exit code; `commit` is the commit of the desired state.
    public record Run(String id, String commit, String planHash, String exitName, List<RingRun> rings) {
        public Run {
            rings = rings.stream().sorted(Comparator.comparing(RingRun::id)).toList();
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
        document.put("outcomeDigest", outcomeDigest(run.rings()));
        document.put("clusters", run.rings().stream().map(RunJson::cluster).toList());
        return Json.write(document);
    }

    /// One operation on a manual request.
    public static String renderOne(ClusterResult result) {
        var document = new TreeMap<String, Object>(cluster(RingRun.of(result)));
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("kind", "Operation");
        return Json.write(document);
    }

    /// Equal for runs with the same results: rings, outcomes and reasons, without times and ids.
    public static String outcomeDigest(List<RingRun> rings) {
        var outcomes = new TreeMap<String, Object>();
        rings.stream()
                .filter(r -> r.outcome() != ClusterResult.Outcome.NOTHING)
                .forEach(r -> outcomes.put(r.id(), r.outcome().wire() + " " + r.detail()));
        return Digests.hex(Json.write(outcomes));
    }

    private static Map<String, Object> cluster(RingRun ring) {
        var cluster = new TreeMap<String, Object>();
        cluster.put("id", ring.id());
        cluster.put("outcome", ring.outcome().wire());
        cluster.put("detail", ring.detail());
        cluster.put("steps", ring.steps().stream().map(RunJson::step).toList());
        return cluster;
    }

    private static Map<String, Object> step(RingRun.StepRun done) {
        var step = new TreeMap<String, Object>();
        step.put("operation", done.operation());
        step.put("kind", done.kind());
        step.put("step", done.step());
        step.put("action", done.action());
        step.put("result", done.result());
        step.put("detail", done.detail());
        step.put("began", done.time().began());
        step.put("millis", done.time().millis());
        return step;
    }
}
