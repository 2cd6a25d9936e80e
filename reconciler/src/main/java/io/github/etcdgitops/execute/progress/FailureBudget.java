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

/// How many rings a run may change in vain. Once so many changes have failed, no others are begun: what
/// went wrong for those may be what is being done, and the other rings are still whole. What is under way
/// ends, and what mends a ring or only reads it goes on.
public final class FailureBudget {
    /// The rule by whose name operations are held.
    public static final String RULE = "failure-budget";

    private final OptionalInt most;
    private final Set<ClusterRef> failed = new ConcurrentSkipListSet<>();

    public FailureBudget(OptionalInt most) {
        this.most = most;
    }

    /// Whether the operation may begin, as far as that goes; what else is to be said of it is asked after.
    public Verdict ask(Operation operation, Supplier<Verdict> otherwise) {
        boolean spent = most.isPresent() && failed.size() >= most.getAsInt();
        return spent && isChange(operation)
                ? new Verdict.Hold(
                        RULE,
                        "the changes of "
                                + failed.stream().map(ClusterRef::toString).collect(Collectors.joining(", "))
                                + " failed in this run, which is the limit (spec.limits.maxFailures of the Fleet)."
                                + " Fix those first")
                : otherwise.get();
    }

    /// What was begun and failed counts, whatever else came of the ring.
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

    /// What a ring came to that is held by a verdict.
    public static Outcome outcome(Verdict verdict) {
        return verdict instanceof Verdict.Hold(String rule, String _) && rule.equals(RULE)
                ? Outcome.ABORTED
                : Outcome.HELD;
    }
}
