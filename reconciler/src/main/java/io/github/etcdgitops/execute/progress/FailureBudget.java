package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// How many failed changes a run accepts. Once that many changes have failed, no others start: the change
/// itself may be the cause, and the other rings are still intact. Changes under way complete, and repairs
/// and read-only operations continue.
public final class FailureBudget {
    /// The rule id for operations that it holds.
    public static final String RULE = "failure-budget";

    private final OptionalInt most;
    private final Set<ClusterRef> failed = new ConcurrentSkipListSet<>();

    public FailureBudget(OptionalInt most) {
        this.most = most;
    }

    /// Whether the operation may start within this budget. If so, `otherwise` decides.
    public Verdict ask(Operation operation, Supplier<Verdict> otherwise) {
        boolean spent = most.isPresent() && failed.size() >= most.getAsInt();
        return spent && isChange(operation)
                ? new Verdict.Hold(
                        RULE,
                        "the changes of "
                                + failed.stream().map(ClusterRef::toString).collect(Collectors.joining(", "))
                                + " failed in this run, which is the limit (spec.limits.maxFailures of the Fleet)."
                                + " Fix those first",
                        Verdict.Cause.FAILED_CHANGES)
                : otherwise.get();
    }

    /// A change that started and failed counts, whatever the ring's overall result is.
    public ClusterResult note(ClusterPlan plan, ClusterResult result) {
        var changes = plan.operations().stream()
                .map(PlannedOperation::operation)
                .filter(FailureBudget::isChange)
                .map(Operation::id)
                .collect(Collectors.toSet());
        if (result.events().stream()
                .anyMatch(event ->
                        event.result() instanceof StepResult.Failed && changes.contains(event.operationId()))) {
            failed.add(result.ref());
        }
        return result;
    }

    private static boolean isChange(Operation operation) {
        return operation.changesRing() && !operation.endsWhatWasBegun();
    }

    /// The result of a ring that a verdict holds.
    public static Outcome outcome(Verdict verdict) {
        return verdict instanceof Verdict.Hold(String _, String _, Verdict.Cause cause)
                        && cause == Verdict.Cause.FAILED_CHANGES
                ? Outcome.ABORTED
                : Outcome.HELD;
    }
}
