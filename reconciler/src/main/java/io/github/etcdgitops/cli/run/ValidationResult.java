package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Checks;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Fault;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The result of a check of documents, in all its forms.
record ValidationResult(DesiredState desired, List<Advice> advice) implements Rendering {
    /// About a ring, or fleet-wide.
    record Advice(Optional<ClusterRef> ring, Finding finding) {}

    static ValidationResult of(DesiredState desired, Instant now) {
        return of(desired, now, List.of());
    }

    /// `plans` are the documents' plans for rings that match another revision.
    static ValidationResult of(DesiredState desired, Instant now, List<FleetPlan> plans) {
        var policies = PolicyEngine.of(desired);
        var advice = new ArrayList<Advice>();
        policies.findings(now).forEach(finding -> advice.add(new Advice(Optional.empty(), finding)));
        desired.rings()
                .forEach((ref, spec) -> policies.admit(spec, now)
                        .forEach(finding -> advice.add(new Advice(Optional.of(ref), finding))));
        plans.stream()
                .flatMap(plan -> plan.clusters().stream())
                .forEach(ring -> ofChange(ring)
                        .map(finding -> new Advice(Optional.of(ring.ref()), finding))
                        .filter(given -> !advice.contains(given))
                        .forEach(advice::add));
        return new ValidationResult(desired, advice);
    }

    /// What the change asks for and is impossible. Violations are reported separately, with their
    /// locations.
    private static Stream<Finding> ofChange(ClusterPlan ring) {
        var impossible = ring.findings().stream()
                .filter(f -> f.fault() == Fault.DOCUMENT && !f.is(FindingCode.DOCUMENT_REJECTED));
        var denied = ring.operations().stream()
                .filter(o -> o.verdict() instanceof Verdict.Deny)
                .map(o -> {
                    var deny = (Verdict.Deny) o.verdict();
                    return Finding.ofRule(
                            Level.ERROR, deny.rule(), o.operation().kind() + ": " + deny.reason(), Fault.POLICY);
                });
        return Stream.concat(impossible, denied);
    }

    /// Each `error:` gives a code other than 0, whoever must fix it. Errors in documents always count.
    ExitCode code(Options.FailOn failOn) {
        return advice.stream()
                .map(given -> Refusals.of(given.finding(), failOn))
                .reduce(desired.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID, ExitCode::worst);
    }

    @Override
    public Lines human(Style style) {
        var out = new Human(style).violations(desired.violations());
        for (var given : advice) {
            out.append(given.ring()
                            .map(ref -> style.strong().apply(ref.toString()) + ": ")
                            .orElse(""))
                    .append(level(style, given.finding().level()))
                    .append(" [")
                    .append(given.finding().code())
                    .append("] ")
                    .append(given.finding().message())
                    .end();
        }
        out.append(Count.of(desired.rings().size(), "ring")).append(" valid, ");
        out.append(Count.of(desired.violations().size(), "violation"))
                .append(".")
                .end();
        return out;
    }

    private static String level(Style style, Level level) {
        return switch (level) {
            case ERROR -> style.bad().apply("error");
            case WARNING -> style.doubt().apply("warning");
            case NOTE -> style.faint().apply("note");
        };
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Validation");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put(
                "rings", desired.rings().keySet().stream().map(Object::toString).toList());
        document.put("findings", advice.stream().map(ValidationResult::finding).toList());
        document.put(
                "violations",
                desired.violations().stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private static Map<String, String> finding(Advice advice) {
        var finding = advice.finding();
        var fields = new TreeMap<>(
                Map.of("level", finding.level().wire(), "code", finding.code(), "message", finding.message()));
        if (finding.fault() != Fault.NONE) {
            fields.put("fault", finding.fault().wire());
        }
        advice.ring().ifPresent(ref -> fields.put("ring", ref.toString()));
        return fields;
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }

    @Override
    public Optional<Checks> checks() {
        return Optional.of(Checks.ofDocuments(
                desired, advice.stream().map(a -> Checks.advice(desired, a.ring(), a.finding()))));
    }
}
