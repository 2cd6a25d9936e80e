package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.ManagedObject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Handles the objects around the members: Services, budget, replicas.
public final class ObjectSteps implements StepHandler<ObjectStep> {
    private final StepContext context;
    private final UserConnections users;

    public ObjectSteps(StepContext context) {
        this.context = context;
        this.users = new UserConnections(context);
    }

    @Override
    public Optional<String> alreadySo(ObjectStep step) {
        return switch (step) {
            case ObjectStep.ApplyObjects(var wanted) -> allApplied(wanted);
            case ObjectStep.SetBudget(int minAvailable) -> budgetIs(minAvailable);
            // The controller must have seen the budget and allow no disruption now.
            case ObjectStep.BlockEvictions _ -> Optional.empty();
            case ObjectStep.SetReplicas(int replicas) -> replicasAre(replicas);
        };
    }

    @Override
    public StepResult act(ObjectStep step) {
        return switch (step) {
            case ObjectStep.ApplyObjects(var wanted) -> apply(wanted);
            case ObjectStep.SetBudget(int minAvailable) -> setBudget(minAvailable);
            case ObjectStep.BlockEvictions(int pods) -> blockEvictions(pods, step.deadline());
            case ObjectStep.SetReplicas(int replicas) -> setReplicas(replicas);
        };
    }

    Optional<String> allApplied(Set<ManagedObject> wanted) {
        return differing(wanted).isEmpty() ? Optional.of("already correct") : Optional.empty();
    }

    StepResult apply(Set<ManagedObject> wanted) {
        var differing = differing(wanted);
        differing.forEach(object -> context.kube().apply(object, context.objectsAtRest()));
        var applied = Stream.concat(
                differing.stream().map(ManagedObject::title),
                differing.contains(ManagedObject.CONNECTION) ? users.write().stream() : Stream.<String>empty());
        return new StepResult.Done(applied.collect(Collectors.joining(", ")));
    }

    private Set<ManagedObject> differing(Set<ManagedObject> wanted) {
        return context.kube().drift(context.state().kube(), context.objectsAtRest()).stream()
                .map(d -> d.object())
                .filter(wanted::contains)
                .collect(Collectors.toCollection(java.util.TreeSet::new));
    }

    Optional<String> budgetIs(int minAvailable) {
        return budget().filter(b -> b.minAvailable() == minAvailable).map(_ -> "minAvailable " + minAvailable);
    }

    StepResult setBudget(int minAvailable) {
        context.kube().apply(ManagedObject.BUDGET, context.objects(minAvailable));
        return new StepResult.Done("minAvailable " + minAvailable);
    }

    /// Never "already so": the controller must have seen the budget and allow no disruption now.
    StepResult blockEvictions(int pods, Duration deadline) {
        if (budgetIs(pods).isEmpty()) {
            context.kube().apply(ManagedObject.BUDGET, context.objects(pods));
        }
        return context.await(
                        deadline,
                        () -> budget().filter(b ->
                                                b.minAvailable() >= pods && b.settled() && b.disruptionsAllowed() == 0)
                                        .isPresent()
                                ? Optional.empty()
                                : Optional.of("the disruption budget still allows an eviction"))
                .<StepResult>map(StepResult.Held::new)
                .orElseGet(() -> new StepResult.Done("no eviction is allowed"));
    }

    private Optional<BudgetState> budget() {
        return context.state().kube().knownBudget();
    }

    Optional<String> replicasAre(int replicas) {
        return context.statefulSet()
                .filter(s -> s.replicas() == replicas && s.rollout().partition() == replicas)
                .map(_ -> replicas + " replicas");
    }

    StepResult setReplicas(int replicas) {
        var expected = context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone"));
        context.kube().setReplicas(context.ref(), expected, replicas, context.epoch());
        return new StepResult.Done(expected.replicas() + " → " + replicas + " replicas");
    }
}
