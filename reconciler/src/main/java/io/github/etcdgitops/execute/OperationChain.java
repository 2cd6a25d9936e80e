package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.FailureBudget;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.health.Defect;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Carries out the operations of one ring, one after the other, under its Lease. `gate` evaluates the
/// policies before each of them; `stop` says why the whole run must stop, if it must.
record OperationChain(
        Function<Operation, Verdict> gate,
        Supplier<Optional<String>> stop,
        FaultHook faults,
        InstantSource clock,
        StepListener progress,
        RunMark mark) {
    /// If an operation fails without touching the ring, the others are still tried, except those that
    /// depend on it and the changes after those. A backup for a change that will not start is useless and
    /// is skipped.
    ClusterResult run(EtcdClusterSpec spec, List<PlannedOperation> chain, StepRunner runner, ChangeNotes notes) {
        var events = new ArrayList<StepEvent>();
        Optional<ClusterResult> trouble = Optional.empty();
        boolean ringTrouble = false;
        for (var planned : chain) {
            var operation = planned.operation();
            boolean relies = (operation.needsBackup() || operation.servesChange()) && trouble.isPresent();
            if (relies
                    || (operation.changesRing() && ringTrouble)
                    || !planned.verdict().lets()) {
                ringTrouble |= operation.changesRing();
                continue;
            }
            var verdict = gate.apply(operation);
            if (!verdict.lets()) {
                trouble = trouble.or(() ->
                        Optional.of(ClusterResult.of(spec.ref(), FailureBudget.outcome(verdict), waiting(verdict))));
                ringTrouble |= operation.changesRing();
                continue;
            }
            progress.begins(operation);
            var ended = steps(runner, notes, planned, events)
                    .orElseGet(() -> ClusterResult.of(spec.ref(), Outcome.DONE, ""));
            progress.ended(operation, ended.outcome(), ended.detail());
            if (ended.outcome() != Outcome.DONE) {
                trouble = trouble.or(() -> Optional.of(ended));
                ringTrouble |= operation.changesRing();
                if (ended.outcome() == Outcome.FENCED) {
                    break;
                }
            }
        }
        var result = trouble.orElseGet(() -> ClusterResult.of(spec.ref(), Outcome.DONE, ""));
        return new ClusterResult(spec.ref(), result.outcome(), result.detail(), events);
    }

    private static Optional<ClusterResult> trouble(Operation operation, StepResult result) {
        return result.ok()
                ? Optional.empty()
                : Optional.of(ClusterResult.of(operation.ref(), outcome(result), result.detail()));
    }

    private Optional<ClusterResult> steps(
            StepRunner runner, ChangeNotes notes, PlannedOperation planned, List<StepEvent> events) {
        var operation = planned.operation();
        String id = operation.id();
        int number = 0;
        for (var plannedStep : planned.steps()) {
            var step = plannedStep.step();
            String boundary = operation.kind() + "/" + step.name();
            var stopped = stop.get();
            if (stopped.isPresent()) {
                return Optional.of(ClusterResult.of(operation.ref(), Outcome.HELD, stopped.get()));
            }
            faults.reached(boundary + "/before");
            progress.begins(operation, step);
            mark.at(operation.kind(), id, ++number);
            var began = clock.instant();
            // The start of an operation is recorded, whatever its result.
            StepResult result = Defect.contain(
                    () -> runner.run(step, plannedStep.before()),
                    defect -> new StepResult.Failed(defect.in(operation.ref())));
            var took = Duration.between(began, clock.instant());
            var event = new StepEvent(id, operation.kind(), step, result, began, took);
            events.add(event);
            progress.ended(event);
            faults.reached(boundary + "/after");
            if (!result.ok()) {
                return Optional.of(ClusterResult.of(
                        operation.ref(), outcome(result), plannedStep.texts().action() + ": " + result.detail()));
            }
            if (plannedStep.equals(planned.steps().getFirst())) {
                var untold = trouble(operation, notes.begun(operation));
                if (untold.isPresent()) {
                    return untold;
                }
            }
        }
        return trouble(operation, notes.ended(operation));
    }

    static String waiting(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Hold hold -> hold.reason();
            case Verdict.Deny deny -> deny.reason();
            case Verdict.Allow _, Verdict.Warn _ -> "";
        };
    }

    private static Outcome outcome(StepResult result) {
        return switch (result) {
            case StepResult.Done _, StepResult.AlreadySo _ -> Outcome.DONE;
            case StepResult.Held _ -> Outcome.HELD;
            case StepResult.Failed _ -> Outcome.FAILED;
            case StepResult.Fenced _ -> Outcome.FENCED;
        };
    }
}
