package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.state.health.Quorum;
import java.util.ArrayList;
import java.util.List;

/// An operation with its steps simulated on the ring as it will be then, and the verdict of the rules.
public record PlannedOperation(Operation operation, List<PlannedStep> steps, Verdict verdict) {
    public PlannedOperation {
        steps = List.copyOf(steps);
    }

    /// Not evaluated by any rule yet.
    public static PlannedOperation of(Operation operation, RingModel start) {
        var steps = new ArrayList<PlannedStep>();
        var ring = start;
        for (var step : operation.steps()) {
            var planned = PlannedStep.of(step, ring, operation.ref());
            steps.add(planned);
            ring = planned.after();
        }
        return new PlannedOperation(operation, steps, new Verdict.Allow());
    }

    public PlannedOperation with(Verdict newVerdict) {
        return new PlannedOperation(operation, steps, newVerdict);
    }

    public Quorum before() {
        return steps.isEmpty() ? new Quorum(0, 0) : steps.getFirst().before().quorum();
    }

    public Quorum after() {
        return steps.isEmpty() ? new Quorum(0, 0) : steps.getLast().after().quorum();
    }

    /// The lowest tolerance at any moment of the operation.
    public Quorum worst() {
        return steps.stream()
                .map(PlannedStep::during)
                .filter(q -> q.voters() > 0)
                .min((a, b) -> Integer.compare(a.tolerance(), b.tolerance()))
                .orElseGet(this::after);
    }

    /// What the ring's clients notice of it.
    public String forClients() {
        return ClientImpact.of(operation, steps, before(), worst());
    }

    RingModel end(RingModel start) {
        return steps.isEmpty() ? start : steps.getLast().after();
    }
}
