package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.Words;
import java.util.ArrayList;
import java.util.List;

/// One operation of a plan, in the page's words and numbers.
public record OperationView(PlannedOperation planned, Tempo tempo) {
    public String kind() {
        return planned.operation().kind();
    }

    public String summary() {
        return planned.operation().summary();
    }

    public String id() {
        return planned.operation().id();
    }

    public String risk() {
        return planned.operation().risk().toString();
    }

    public String reason() {
        return planned.operation().reason();
    }

    public String takes() {
        return Words.range(tempo.of(List.of(planned)));
    }

    /// Empty where there is none.
    public String carried() {
        return planned.operation()
                .resolved()
                .carried()
                .line()
                .map(line -> "with " + line)
                .orElse("");
    }

    public String verdict() {
        return Words.verdict(planned.verdict());
    }

    /// The CSS class with its colour.
    public String style() {
        return switch (planned.verdict()) {
            case Verdict.Allow _ -> "in_sync";
            case Verdict.Warn _ -> "changes";
            case Verdict.Hold _, Verdict.Deny _ -> "held";
        };
    }

    public List<StepView> steps() {
        var steps = new ArrayList<StepView>();
        planned.steps().forEach(step -> steps.add(StepView.of(steps.size() + 1, step)));
        return List.copyOf(steps);
    }

    public QuorumDrawing drawing() {
        return QuorumDrawing.of(planned.steps());
    }

    /// `bare` where one more failure would stop writes.
    public record StepView(
            int number,
            String action,
            String voters,
            String needed,
            String tolerance,
            boolean bare,
            PlannedStep.Texts texts) {
        static StepView of(int number, PlannedStep step) {
            var before = step.before().quorum();
            var after = step.after().quorum();
            return new StepView(
                    number,
                    step.texts().action(),
                    before.voters() + " → " + after.voters(),
                    Words.needed(before) + " → " + Words.needed(after),
                    Words.tolerance(before) + " → " + Words.tolerance(step.during()) + " → " + Words.tolerance(after),
                    Words.bare(step.during()),
                    step.texts());
        }
    }
}
