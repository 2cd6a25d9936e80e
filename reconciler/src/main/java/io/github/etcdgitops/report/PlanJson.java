package io.github.etcdgitops.report;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.ObservedMembers;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.policy.Proposal;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.validation.Violation;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The plan for machines (`schemas/plan.schema.json`). The same plan gives the same bytes. A reader accepts
/// unknown fields within a major `formatVersion` and rejects another major one.
public final class PlanJson {
    public static final String FORMAT = "1.0";

    private static final String CLUSTERS = "clusters";

    /// A plan is shown in several forms one after another, and each shows its hash.
    private static volatile Hashed last = new Hashed(new WeakReference<>(null), "");

    private PlanJson() {}

    private record Hashed(WeakReference<FleetPlan> plan, String hash) {}

    /// The whole plan with its hash.
    public static String render(FleetPlan plan) {
        var text = new StringBuilder();
        render(plan, text::append);
        return text.toString();
    }

    /// The same piece by piece.
    public static void render(FleetPlan plan, Consumer<String> to) {
        var document = document(plan, plan.clusters());
        document.put("planHash", hash(plan));
        document.put("banners", Banners.of(plan));
        Json.write(document, CLUSTERS, plan.clusters().stream().map(ring -> whole(ring, plan)), to);
    }

    /// `sha256:` and a hash over everything that a run would act on. It leaves out the hash itself and
    /// rings without a document, which change without any plan.
    public static String hash(FleetPlan plan) {
        var known = last;
        if (!known.plan().refersTo(plan)) {
            known = new Hashed(new WeakReference<>(plan), computed(plan));
            last = known;
        }
        return known.hash();
    }

    private static String computed(FleetPlan plan) {
        var rings = plan.clusters().stream()
                .filter(c -> c.situation() != ClusterPlan.Situation.ORPHAN)
                .toList();
        var digest = Digests.sha256();
        Json.write(
                document(plan, rings),
                CLUSTERS,
                rings.stream().map(PlanJson::cluster),
                piece -> digest.update(piece.getBytes(StandardCharsets.UTF_8)));
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }

    /// One ring's part, for its own file.
    public static String render(ClusterPlan ring, FleetPlan plan) {
        return Json.write(whole(ring, plan));
    }

    /// With what is not part of the hash: it changes from run to run, or is for readers alone.
    private static Map<String, Object> whole(ClusterPlan ring, FleetPlan plan) {
        var cluster = timed(ring, plan.tempo());
        plan.factsOf(ring.ref())
                .observed()
                .flatMap(ObservedMembers::users)
                .ifPresent(users -> cluster.put("auth", AuthJson.tree(users)));
        return cluster;
    }

    /// With how long it takes.
    private static Map<String, Object> timed(ClusterPlan plan, Tempo tempo) {
        var cluster = cluster(plan);
        if (plan.changes()) {
            cluster.put("time", time(tempo.of(plan.operations())));
            var operations = new ArrayList<Map<String, Object>>();
            plan.operations().forEach(planned -> {
                var operation = operation(planned);
                operation.put("time", time(tempo.of(List.of(planned))));
                operations.add(operation);
            });
            cluster.put("operations", operations);
        }
        return cluster;
    }

    private static Map<String, Object> time(Tempo.Range range) {
        return new TreeMap<>(Map.of(
                "leastSeconds", range.least().toSeconds(),
                "mostSeconds", range.most().toSeconds(),
                "recordedSteps", range.recorded(),
                "steps", range.all()));
    }

    /// Without the rings themselves.
    private static Map<String, Object> document(FleetPlan plan, List<ClusterPlan> rings) {
        var document = new TreeMap<String, Object>();
        document.put("formatVersion", FORMAT);
        document.put("kind", "Plan");
        document.put("environment", plan.environment());
        document.put("inputs", new TreeMap<>(Map.of("specDigest", plan.specDigest(), "tool", plan.tool())));
        document.put("summary", summary(rings));
        document.put("findings", findings(plan.findings()));
        document.put(
                "violations",
                plan.violations().stream().map(PlanJson::violation).toList());
        return document;
    }

    private static Map<String, Object> summary(List<ClusterPlan> rings) {
        var summary = new TreeMap<String, Object>(
                rings.stream().collect(Collectors.groupingBy(c -> c.situation().title(), Collectors.counting())));
        summary.put("clusters", rings.size());
        return summary;
    }

    private static Map<String, Object> cluster(ClusterPlan plan) {
        var cluster = new TreeMap<String, Object>();
        cluster.put("id", plan.ref().toString());
        cluster.put("namespace", plan.ref().namespace());
        cluster.put("name", plan.ref().name());
        cluster.put("situation", plan.situation().title());
        cluster.put("quorum", quorum(plan.quorum()));
        plan.highestRisk().ifPresent(risk -> cluster.put("highestRisk", risk.wire()));
        if (plan.changes()) {
            cluster.put("worst", quorum(plan.worst()));
        }
        cluster.put(
                "operations",
                plan.operations().stream().map(PlanJson::operation).toList());
        cluster.put(
                "waiting",
                plan.waiting().stream()
                        .map(w -> new TreeMap<>(Map.of("what", w.what(), "reason", w.reason())))
                        .toList());
        cluster.put("findings", findings(plan.findings()));
        cluster.put("fingerprint", plan.fingerprint());
        return cluster;
    }

    private static List<Map<String, Object>> findings(List<Finding> findings) {
        return findings.stream().map(PlanJson::finding).toList();
    }

    private static Map<String, Object> finding(Finding finding) {
        var map = new TreeMap<String, Object>(
                Map.of("level", finding.level().wire(), "code", finding.code(), "message", finding.message()));
        if (finding.denies()) {
            map.put("denies", true);
        }
        if (finding.fault() != Finding.Fault.NONE) {
            map.put("fault", finding.fault().wire());
        }
        return map;
    }

    private static Map<String, Object> operation(PlannedOperation planned) {
        var operation = new TreeMap<String, Object>();
        operation.put("id", planned.operation().id());
        operation.put("kind", planned.operation().kind());
        operation.put("target", planned.operation().target());
        operation.put("summary", planned.operation().summary());
        operation.put("carries", planned.operation().resolved().carried().named());
        operation.put("reason", planned.operation().reason());
        operation.put("risk", planned.operation().risk().wire());
        operation.put("policy", policy(Proposal.of(planned.operation())));
        if (!planned.operation().features().isEmpty()) {
            operation.put(
                    "features",
                    planned.operation().features().stream()
                            .map(f -> new TreeMap<>(Map.of("gate", f.gate().title(), "on", f.on(), "from", f.from())))
                            .toList());
        }
        operation.put("verdict", verdict(planned.verdict()));
        operation.put("clientsNotice", planned.forClients());
        operation.put(
                "quorum",
                new TreeMap<>(Map.of(
                        "before", quorum(planned.before()),
                        "worst", quorum(planned.worst()),
                        "after", quorum(planned.after()))));
        var steps = new ArrayList<Map<String, Object>>();
        planned.steps().forEach(step -> steps.add(step(steps.size() + 1, step)));
        operation.put("steps", List.copyOf(steps));
        return operation;
    }

    /// What rules need besides kind and risk, so that other rules can be evaluated on the plan later.
    private static Map<String, Object> policy(Proposal proposal) {
        return new TreeMap<>(Map.of(
                "changesRing", proposal.changesRing(),
                "mends", proposal.mends(),
                "consent", proposal.consent().wire(),
                "minutes", proposal.time().toMinutes()));
    }

    private static Map<String, Object> step(int number, PlannedStep planned) {
        var step = new TreeMap<String, Object>();
        step.put("number", number);
        step.put("step", planned.step().name());
        step.put("action", planned.texts().action());
        step.put("before", ring(planned.before(), planned.before().quorum()));
        step.put("during", ring(planned.before(), planned.during()));
        step.put("after", ring(planned.after(), planned.after().quorum()));
        step.put("elections", planned.texts().elections());
        step.put("undo", planned.texts().undo());
        step.put("waitsFor", planned.texts().waitsFor());
        return step;
    }

    private static Map<String, Object> ring(RingModel ring, Quorum quorum) {
        var map = quorum(quorum);
        map.put("learners", ring.learners().size());
        return map;
    }

    static Map<String, Object> quorum(Quorum quorum) {
        return new TreeMap<>(Map.of(
                "voters",
                quorum.voters(),
                "healthy",
                quorum.healthy(),
                "needed",
                quorum.voters() == 0 ? 0 : quorum.needed(),
                "tolerance",
                quorum.voters() == 0 ? 0 : quorum.tolerance()));
    }

    private static Map<String, Object> verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> new TreeMap<>(Map.of("result", verdict.result()));
            case Verdict.Warn(String rule, String reason) -> verdict(verdict, rule, reason);
            case Verdict.Hold(String rule, String reason, var _) -> verdict(verdict, rule, reason);
            case Verdict.Deny(String rule, String reason) -> verdict(verdict, rule, reason);
        };
    }

    private static Map<String, Object> verdict(Verdict verdict, String rule, String reason) {
        return new TreeMap<>(Map.of("result", verdict.result(), "rule", rule, "reason", reason));
    }

    /// A violation for machines, in plans and in the output of `validate` alike.
    public static Map<String, Object> violation(Violation violation) {
        var map = new TreeMap<String, Object>();
        map.put("code", violation.code());
        map.put("file", violation.at().file());
        map.put("line", violation.at().line());
        map.put("column", violation.at().column());
        map.put("pointer", violation.at().pointer());
        map.put("message", violation.message());
        violation.hint().ifPresent(hint -> map.put("hint", hint));
        return map;
    }
}
