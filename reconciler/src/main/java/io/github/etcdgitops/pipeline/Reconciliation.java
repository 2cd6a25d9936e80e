package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.execute.Executor;
import io.github.etcdgitops.execute.RingReading;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ContainedListener;
import io.github.etcdgitops.execute.progress.FailureBudget;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.pipeline.environment.RingBorder;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.deletion.Deletion;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The work of a run on the rings of an environment: it plans them, and carries the plan out ring by ring.
public final class Reconciliation {
    private final Executor.Surroundings surroundings;
    private final Observer observer;
    private final FleetView view;
    private final Optional<ReportBranch> report;
    private final String reconcilerNamespace;
    private final Function<ClusterRef, StepListener> progress;
    private final Supplier<Optional<String>> ending;

    /// `ending` says why the process is about to end, if it is: then nothing more starts.
    public Reconciliation(
            Executor.Surroundings surroundings,
            Observer observer,
            FleetView view,
            Optional<ReportBranch> report,
            String reconcilerNamespace,
            Function<ClusterRef, StepListener> progress,
            Supplier<Optional<String>> ending) {
        this.surroundings = surroundings;
        this.observer = observer;
        this.view = view;
        this.report = report;
        this.reconcilerNamespace = reconcilerNamespace;
        this.progress = progress;
        this.ending = ending;
    }

    /// Why the process is about to end, if it is.
    public Optional<String> ending() {
        return ending.get();
    }

    /// The state of the rings after the run. It does not observe again when the process must end.
    public FleetPlan after(DesiredState desired, FleetPlan plan) {
        return ending().isPresent() ? plan : view.plan(desired, plan.environment());
    }

    public FleetView view() {
        return view;
    }

    public Optional<ReportBranch> report() {
        return report;
    }

    /// Refuses when the report branch has another Kubernetes cluster on record.
    public void requireKubernetes(String environment) {
        report.ifPresent(r -> r.requireSameKubernetes(environment));
    }

    /// Carries out a plan for those rings, a limited number at a time, each by itself.
    public List<ClusterResult> execute(DesiredState all, FleetPlan plan, Predicate<ClusterRef> mine, String runId) {
        var desired = view.allowed(all);
        var judge = new Judge(
                PolicyEngine.of(desired),
                new FailureBudget(desired.fleet().limits().maxFailures()),
                ref -> Optional.ofNullable(desired.rings().get(ref))
                        .map(ring -> view.backups(desired, plan.environment(), ring))
                        .orElse(BackupStanding.NONE));
        int atOnce = desired.fleet().limits().maxParallel();
        var rings = Environments.rings(desired, plan.environment()).stream()
                .filter(spec -> mine.test(spec.ref()))
                .toList();
        var results = new ArrayList<>(Parallel.map(rings, atOnce, spec -> {
            var ref = spec.ref();
            var mineOf = plan.of(ref);
            return RingBorder.result(
                    mineOf,
                    () -> judge.budget()
                            .note(
                                    mineOf,
                                    executor(judge, ref, runId)
                                            .execute(spec, mineOf, now -> again(spec, now, plan.needsOf(ref)))));
        }));
        var orphans = plan.clusters().stream()
                .filter(c -> c.changes() || c.internalError().isPresent())
                .filter(c -> mine.test(c.ref()) && !desired.rings().containsKey(c.ref()))
                .toList();
        results.addAll(Parallel.map(
                orphans,
                atOnce,
                orphan -> RingBorder.result(orphan, () -> delete(desired, plan.environment(), judge, orphan, runId))));
        return results.stream().map(RingBorder::worded).toList();
    }

    /// What was due in `needs`, which the plan used, is still due now.
    private ClusterPlan again(EtcdClusterSpec spec, ClusterState now, BackupNeeds needs) {
        return Planner.plan(spec, now, needs, surroundings.clock().instant());
    }

    private ClusterResult delete(
            DesiredState desired, String environment, Judge judge, ClusterPlan orphan, String runId) {
        var ref = orphan.ref();
        var result = executor(judge, ref, spec -> observer.orphan(spec.ref()), runId)
                .execute(
                        ((Deletion) orphan.operations().getFirst().operation()).document(),
                        orphan,
                        now -> Orphan.plan(
                                now, desired.tombstones(ref), InvalidPolicies.clearance(desired, environment, ref)));
        return judge.budget().note(orphan, result);
    }

    /// The plan of one ring; empty where no document of the environment describes it. Only runs that see
    /// all rings change feature gates.
    public FleetPlan planOf(DesiredState desired, String environment, ClusterRef ring) {
        return view.part(desired, environment, ring::equals, RolloutSlots.NONE);
    }

    /// Carries out the plan of one ring on a manual request. Publishes nothing.
    public Ran carryOut(RunContext context, DesiredState desired, FleetPlan plan, ClusterRef ring) {
        var results = execute(desired, plan, ring::equals, "");
        return new Ran(context, plan, results, planOf(desired, plan.environment(), ring));
    }

    /// Carries out one operation on a manual request; see [Executor#now].
    public ClusterResult now(DesiredState desired, EtcdClusterSpec spec, Operation operation) {
        if (!view.allowed(desired).rings().containsKey(spec.ref())) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "the settings of the reconciler forbid rings in the namespace "
                            + spec.ref().namespace());
        }
        var judge =
                new Judge(PolicyEngine.of(desired), new FailureBudget(OptionalInt.empty()), _ -> BackupStanding.NONE);
        return executor(judge, spec.ref(), "").now(spec, operation);
    }

    /// Decides right before an operation starts. Stored backups are listed again, where a decision depends
    /// on them.
    private record Judge(PolicyEngine policies, FailureBudget budget, Function<ClusterRef, BackupStanding> backups) {
        Verdict ask(Operation operation, Instant now) {
            return budget.ask(operation, () -> {
                var standing =
                        policies.asksForBackups(operation, now) ? backups.apply(operation.ref()) : BackupStanding.NONE;
                return policies.gate(operation, standing, now);
            });
        }
    }

    private Executor executor(Judge judge, ClusterRef ref, String runId) {
        return executor(judge, ref, new Reading(observer), runId);
    }

    private record Reading(Observer observer) implements RingReading {
        @Override
        public ClusterState forPlan(EtcdClusterSpec spec) {
            return observer.fresh(spec);
        }

        @Override
        public ClusterState forSteps(EtcdClusterSpec spec) {
            return observer.between(spec);
        }
    }

    private Executor executor(Judge judge, ClusterRef ref, RingReading fresh, String runId) {
        return new Executor(
                surroundings,
                fresh,
                operation -> judge.ask(operation, surroundings.clock().instant()),
                this::stopped,
                new ContainedListener(progress.apply(ref)),
                runId);
    }

    /// Stops all changes: an annotation on the reconciler's own namespace. If it cannot be read, changes
    /// are stopped.
    private Optional<String> stopped() {
        var wish = ending();
        if (wish.isPresent()) {
            return wish;
        }
        try {
            return surroundings
                    .gateways()
                    .kube()
                    .namespaceSuspension(reconcilerNamespace)
                    .map(text -> Suspensions.text(reconcilerNamespace, text));
        } catch (GatewayException e) {
            return Optional.of("whether changes are suspended could not be read: " + e.getMessage());
        }
    }
}
