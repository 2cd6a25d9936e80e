package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.roll.DowngradeGate;
import io.github.etcdgitops.ring.roll.DowngradeStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Optional;

/// Announces a downgrade to the ring, waits for it, and cancels it. What etcd reports decides, not its
/// answers: a call without an answer may have taken effect, and a cancellation that failed is answered with
/// success.
public final class DowngradeSteps implements StepHandler<DowngradeStep> {
    private final StepContext context;

    public DowngradeSteps(StepContext context) {
        this.context = context;
    }

    @Override
    public Optional<String> alreadySo(DowngradeStep step) {
        return switch (step) {
            case DowngradeStep.AnnounceDowngrade(var target) ->
                announced(target) ? Optional.of("announced") : Optional.empty();
            case DowngradeStep.CancelDowngrade _ -> none() ? Optional.of("none is announced") : Optional.empty();
            case DowngradeStep.AwaitPrepared _, DowngradeStep.AwaitDowngradeEnded _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(DowngradeStep step) {
        return switch (step) {
            case DowngradeStep.AnnounceDowngrade(var target) -> announce(target, step.deadline());
            case DowngradeStep.AwaitPrepared(var target) ->
                context.until(
                        step.deadline(),
                        () -> DowngradeGate.unprepared(target, context.state()),
                        () -> "every member has");
            case DowngradeStep.AwaitDowngradeEnded(var target) ->
                context.until(step.deadline(), () -> unended(target), () -> "it has");
            case DowngradeStep.CancelDowngrade _ -> cancel(step.deadline());
        };
    }

    private StepResult announce(EtcdVersion target, Duration deadline) {
        return context.retry(
                deadline,
                () -> announced(target),
                () -> context.calls()
                        .throughLeader((etcd, leader) -> etcd.startDowngrade(leader, target, StepContext.CALL)));
    }

    private StepResult cancel(Duration deadline) {
        return context.retry(
                deadline,
                this::none,
                () -> context.calls().throughLeader((etcd, leader) -> etcd.cancelDowngrade(leader, StepContext.CALL)));
    }

    private boolean announced(EtcdVersion target) {
        return context.state()
                .ring()
                .optional()
                .filter(ring -> DowngradeGate.announced(target, ring))
                .isPresent();
    }

    /// Only when every voter answers: one that does not may know of a downgrade. Members of 3.5 report none in
    /// any case.
    private boolean none() {
        return context.state()
                .ring()
                .optional()
                .filter(ring -> ring.voters().stream().allMatch(MemberState::answers)
                        && DowngradeGate.announced(ring).isEmpty())
                .isPresent();
    }

    private Optional<String> unended(EtcdVersion target) {
        return none()
                ? new ClusterVersions(context).otherThan(target)
                : Optional.of("etcd has not ended the downgrade yet, or a member does not answer");
    }
}
