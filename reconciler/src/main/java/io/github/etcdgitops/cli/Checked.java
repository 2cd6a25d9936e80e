package io.github.etcdgitops.cli;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.Checks;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Json;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.Rendering;
import io.github.etcdgitops.report.Style;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.DesiredState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a check of documents found, in all its forms. `denied` tells that a policy denies a ring's document
/// as it is.
record Checked(DesiredState desired, List<Advice> advice, boolean denied) implements Rendering {
    /// About a ring, or about none in particular.
    record Advice(Optional<ClusterRef> ring, Finding finding) {}

    static Checked of(DesiredState desired, Instant now) {
        var policies = PolicyEngine.of(desired);
        var advice = new ArrayList<Advice>();
        policies.findings(now).forEach(finding -> advice.add(new Advice(Optional.empty(), finding)));
        desired.rings()
                .forEach((ref, spec) -> policies.admit(spec, now)
                        .forEach(finding -> advice.add(new Advice(Optional.of(ref), finding))));
        return new Checked(
                desired, advice, desired.rings().values().stream().anyMatch(spec -> policies.denies(spec, now)));
    }

    boolean warned() {
        return advice.stream().anyMatch(a -> a.finding().level() != Level.NOTE);
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
        out.append(count(desired.rings().size(), "ring")).append(" valid, ");
        out.append(count(desired.violations().size(), "violation")).append(".").end();
        return out;
    }

    private static String level(Style style, Level level) {
        return switch (level) {
            case ERROR -> style.bad().apply("error");
            case WARNING -> style.doubt().apply("warning");
            case NOTE -> style.faint().apply("note");
        };
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Validation");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put(
                "rings", desired.rings().keySet().stream().map(Object::toString).toList());
        document.put("findings", advice.stream().map(Checked::finding).toList());
        document.put(
                "violations",
                desired.violations().stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private static Map<String, String> finding(Advice advice) {
        var finding = advice.finding();
        var fields = new TreeMap<>(
                Map.of("level", PlanJson.lower(finding.level()), "code", finding.code(), "message", finding.message()));
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
