package io.github.etcdgitops.report;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.validation.Violation;
import java.util.List;

/// Plans, violations and results for people at a terminal.
public final class Human {
    private final Style style;

    public Human(Style style) {
        this.style = style;
    }

    public Lines plan(FleetPlan plan) {
        var out = new Lines();
        banners(Banners.of(plan), out);
        out.append(violations(plan.violations()));
        plan.findings().forEach(f -> out.append(finding(f)).end());
        if (!plan.findings().isEmpty()) {
            out.end();
        }
        plan.clusters().stream()
                .filter(c -> c.situation() != Situation.IN_SYNC || !c.findings().isEmpty())
                .forEach(c -> cluster(c, plan.tempo(), out));
        out.append(style.strong().apply("Plan: ")).append(plan.summary()).append(" in environment ");
        out.append(plan.environment())
                .append(".")
                .end()
                .append(style.faint().apply(PlanJson.hash(plan)))
                .end();
        return out;
    }

    private void banners(List<String> banners, Lines out) {
        banners.forEach(line -> out.append(style.strong().apply(line)).end());
        if (!banners.isEmpty()) {
            out.end();
        }
    }

    private void cluster(ClusterPlan plan, Tempo tempo, Lines out) {
        out.append(style.strong().apply(plan.ref().toString())).append("  ").append(situation(plan.situation()));
        if (plan.quorum().voters() > 0) {
            out.append("  ")
                    .append(plan.quorum().healthy())
                    .append('/')
                    .append(plan.quorum().voters());
            out.append(" voters healthy, tolerance ").append(tolerance(plan.quorum()));
        }
        out.end();
        plan.findings().forEach(f -> out.append("  ").append(finding(f)).end());
        if (plan.changes()) {
            out.append("  in total: ").append(Words.inAll(plan, tempo)).end();
        }
        plan.operations().forEach(o -> operation(o, tempo, out));
        plan.waiting()
                .forEach(w -> out.append("  ")
                        .append(style.doubt().apply("waits: "))
                        .append(w.what())
                        .append(": ")
                        .append(w.reason())
                        .end());
        out.end();
    }

    private String situation(Situation situation) {
        return switch (situation) {
            case IN_SYNC -> style.good().apply(situation.title());
            case CHANGES, SUSPENDED, ORPHAN -> style.doubt().apply(situation.title());
            case HELD, UNKNOWN, REJECTED -> style.bad().apply(situation.title());
        };
    }

    private String finding(Finding finding) {
        return switch (finding.level()) {
            case ERROR -> style.bad().apply("error: ") + finding.message();
            case WARNING -> style.doubt().apply("warning: ") + finding.message();
            case NOTE -> style.faint().apply("note: " + finding.message());
        };
    }

    private void operation(PlannedOperation planned, Tempo tempo, Lines out) {
        var operation = planned.operation();
        out.append("  ")
                .append(style.strong().apply(operation.kind()))
                .append("  ")
                .append(operation.summary());
        out.append("  (risk ")
                .append(operation.risk())
                .append(", ")
                .append(operation.id())
                .append(")")
                .end();
        out.append("    because ")
                .append(operation.reason())
                .append("; tolerance ")
                .append(tolerance(planned.before()));
        out.append(" → ").append(tolerance(planned.worst())).append(" → ").append(tolerance(planned.after()));
        out.end();
        operation
                .resolved()
                .carried()
                .line()
                .ifPresent(line -> out.append("    with ").append(line).end());
        out.append("    takes ")
                .append(Words.range(tempo.of(List.of(planned))))
                .append("; clients notice: ")
                .append(planned.forClients())
                .end();
        verdict(planned.verdict(), out);
        steps(planned.steps(), out);
    }

    private void verdict(Verdict verdict, Lines out) {
        switch (verdict) {
            case Verdict.Allow _ -> {}
            case Verdict.Warn(String rule, String reason) ->
                out.append("    ")
                        .append(style.doubt().apply(rule + ": "))
                        .append(reason)
                        .end();
            case Verdict.Hold(String rule, String reason, var _) ->
                out.append("    ")
                        .append(style.doubt().apply("held by " + rule + ": "))
                        .append(reason)
                        .end();
            case Verdict.Deny(String rule, String reason) ->
                out.append("    ")
                        .append(style.bad().apply("denied by " + rule + ": "))
                        .append(reason)
                        .end();
        }
    }

    private void steps(List<PlannedStep> steps, Lines out) {
        int number = 0;
        for (PlannedStep step : steps) {
            number++;
            out.append(String.format("    %2d. %s", number, step.texts().action()));
            if (step.after().voters().size() != step.before().voters().size() || riskier(step)) {
                out.append(style.faint()
                        .apply("  [voters " + step.before().voters().size() + " → "
                                + step.after().voters().size() + ", quorum "
                                + Words.needed(step.after().quorum()) + ", tolerance "
                                + Words.tolerance(step.before().quorum()) + " → " + Words.tolerance(step.during())
                                + " → "
                                + Words.tolerance(step.after().quorum()) + "]"));
            }
            out.end();
        }
    }

    private static boolean riskier(PlannedStep step) {
        return step.during().tolerance() < step.before().quorum().tolerance();
    }

    private String tolerance(Quorum quorum) {
        String text = Words.tolerance(quorum);
        return Words.bare(quorum) ? style.bad().apply(text) : text;
    }

    /// One line per violation in the form of compilers, with the remedy below it.
    public Lines violations(List<Violation> violations) {
        var out = new Lines();
        for (Violation v : violations) {
            out.append(style.strong().apply(v.at().toString()))
                    .append(": ")
                    .append(style.bad().apply("error"));
            out.append(" [").append(v.code()).append("] ");
            out.append(v.at().pointer().isEmpty() ? "" : v.at().pointer() + ": ")
                    .append(v.message())
                    .end();
            v.hint()
                    .ifPresent(hint ->
                            out.append("    ").append(style.faint().apply(hint)).end());
        }
        return out.isEmpty() ? out : out.end();
    }

    public Lines results(List<ClusterResult> results) {
        var out = new Lines();
        for (ClusterResult result : results) {
            if (result.outcome() != ClusterResult.Outcome.NOTHING) {
                out.append(style.strong().apply(result.ref().toString()))
                        .append("  ")
                        .append(outcome(result));
                out.append(result.detail().isEmpty() ? "" : ": " + result.detail())
                        .end();
            }
        }
        return out;
    }

    private String outcome(ClusterResult result) {
        String word = result.outcome().wire();
        return switch (result.outcome()) {
            case DONE -> style.good().apply(word);
            case NOTHING, HELD, ABORTED, BUSY, STALE -> style.doubt().apply(word);
            case FAILED, FENCED -> style.bad().apply(word);
        };
    }
}
