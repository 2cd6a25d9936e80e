package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.RestartStep;
import java.util.Optional;

/// Gives members that do not start another pod, or a start without the comparison that stops them.
public final class RestartSteps implements StepHandler<RestartStep> {
    private final PodTries podTries;
    private final StartChecks checks;

    public RestartSteps(StepContext context, LeaveSteps leaving) {
        this.podTries = new PodTries(context);
        this.checks = new StartChecks(context, new DivergedMembers(context), leaving);
    }

    @Override
    public Optional<String> alreadySo(RestartStep step) {
        return switch (step) {
            case RestartStep.NoteTry(int ordinal, String pod, var unused) -> podTries.noted(ordinal, pod);
            case RestartStep.FreePod(int ordinal, String pod) -> podTries.freed(ordinal, pod);
            case RestartStep.LeaveOutCheck(int ordinal, var unused) -> checks.leftOut(ordinal);
        };
    }

    @Override
    public StepResult act(RestartStep step) {
        return switch (step) {
            case RestartStep.NoteTry(int ordinal, String pod, int number) -> podTries.note(ordinal, pod, number);
            case RestartStep.FreePod(int ordinal, String pod) -> podTries.free(ordinal, pod, step.deadline());
            case RestartStep.LeaveOutCheck(int ordinal, var wrong) -> checks.leaveOut(ordinal, wrong, step.deadline());
        };
    }
}
