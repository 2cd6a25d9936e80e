package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.lease.ClusterLease;
import io.github.etcdgitops.execute.lease.Pause;
import io.github.etcdgitops.execute.lease.Poller;
import io.github.etcdgitops.execute.lease.Timepiece;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Carries out one ring's plan, operation by operation, step by step, under the ring's Lease. It returns a
/// result for every problem of a ring, and never throws for one.
public final class Executor {
    private final Surroundings surroundings;
    private final RingReading fresh;
    private final Function<Operation, Verdict> gate;
    private final Supplier<Optional<String>> stop;
    private final StepListener progress;
    private final String run;

    /// The environment of a run: ports, time, and our identity. `gone` says with certainty that a Lease
    /// holder no longer exists.
    public record Surroundings(
            Gateways gateways,
            Timepiece clock,
            Pause pause,
            Supplier<String> random,
            String holder,
            Predicate<String> gone,
            FaultHook faults) {}

    /// `handlers` carry out all steps.
    public record Gateways(
            KubernetesGateway kube,
            RingSecrets secrets,
            RingVolumes volumes,
            EtcdGateway etcd,
            MemberAccess access,
            Function<StepContext, StepHandlers> handlers) {
        private Ports ports(Supplier<String> random, RunMark mark) {
            return new Ports(kube, secrets, volumes, etcd, access, random, mark);
        }
    }

    /// `fresh` reads a ring again; `gate` evaluates the policies again; `stop` says why the whole run must
    /// stop, if it must.
    public Executor(
            Surroundings surroundings,
            RingReading fresh,
            Function<Operation, Verdict> gate,
            Supplier<Optional<String>> stop,
            StepListener progress) {
        this(surroundings, fresh, gate, stop, progress, "");
    }

    /// `run` is the run's id; the journal records it for operations that this run starts.
    public Executor(
            Surroundings surroundings,
            RingReading fresh,
            Function<Operation, Verdict> gate,
            Supplier<Optional<String>> stop,
            StepListener progress,
            String run) {
        this.surroundings = surroundings;
        this.fresh = fresh;
        this.gate = gate;
        this.stop = stop;
        this.progress = progress;
        this.run = run;
    }

    /// `replan` makes the plan again from the ring's state once the Lease is held.
    public ClusterResult execute(EtcdClusterSpec spec, ClusterPlan plan, Function<ClusterState, ClusterPlan> replan) {
        if (plan.operations().stream().noneMatch(o -> o.verdict().lets())) {
            return heldBack(plan)
                    .orElseGet(() -> ClusterResult.of(
                            spec.ref(), Outcome.NOTHING, plan.situation().title()));
        }
        var stopped = stop.get();
        if (stopped.isPresent()) {
            return ClusterResult.of(spec.ref(), Outcome.HELD, stopped.get());
        }
        try {
            if (plan.operations().stream().anyMatch(o -> o.operation().beginsRing())) {
                surroundings
                        .gateways()
                        .kube()
                        .ensureNamespace(spec.ref(), spec.ref().namespace());
            }
            return switch (acquire(spec)) {
                case ClusterLease.Attempt.Busy(String holder) ->
                    ClusterResult.of(spec.ref(), Outcome.BUSY, "the ring's Lease is held by " + holder);
                case ClusterLease.Attempt.Held(ClusterLease lease) -> underLease(spec, plan, replan, lease);
            };
        } catch (GatewayException e) {
            return ClusterResult.of(spec.ref(), Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /// Carries out one operation that a person requested by hand and that is in no plan. It must change
    /// nothing in the ring.
    public ClusterResult now(EtcdClusterSpec spec, Operation operation) {
        if (operation.changesRing()) {
            throw new IllegalArgumentException(operation.kind() + " is carried out only as part of a plan");
        }
        try {
            return switch (acquire(spec)) {
                case ClusterLease.Attempt.Busy(String holder) ->
                    ClusterResult.of(spec.ref(), Outcome.BUSY, "the ring's Lease is held by " + holder);
                case ClusterLease.Attempt.Held(ClusterLease lease) -> {
                    try {
                        var state = fresh.forPlan(spec);
                        yield operations(
                                spec, List.of(PlannedOperation.of(operation, RingModel.of(state))), lease, state);
                    } finally {
                        lease.release();
                    }
                }
            };
        } catch (GatewayException e) {
            return ClusterResult.of(spec.ref(), Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /// Reports the change rather than the backup that waits for it: the change says more.
    private Optional<ClusterResult> heldBack(ClusterPlan plan) {
        return plan.operations().stream()
                .filter(o -> o.operation().changesRing())
                .findFirst()
                .or(() -> plan.operations().stream().findFirst())
                .map(this::heldBack);
    }

    private ClusterResult heldBack(PlannedOperation planned) {
        String reason = OperationChain.waiting(planned.verdict());
        progress.ended(planned.operation(), Outcome.HELD, reason);
        return ClusterResult.of(planned.operation().ref(), Outcome.HELD, reason);
    }

    private ClusterLease.Attempt acquire(EtcdClusterSpec spec) {
        long journalled =
                fresh.forPlan(spec).kube().knownJournal().map(j -> j.epoch()).orElse(0L);
        var applicant = new ClusterLease.Applicant(
                surroundings.holder(), surroundings.gone(), surroundings.clock(), surroundings.pause());
        return ClusterLease.acquire(surroundings.gateways().kube(), spec.ref(), applicant, journalled);
    }

    /// A failure also leaves the Lease to the next run: the Lease guards the ring, not the failed run.
    private ClusterResult underLease(
            EtcdClusterSpec spec, ClusterPlan plan, Function<ClusterState, ClusterPlan> replan, ClusterLease lease) {
        try {
            if (lease.taken()) {
                poller(lease).outlast(ClusterLease.CHECK.plus(StepContext.CALL));
            }
            var now = fresh.forPlan(spec);
            var again = replan.apply(now);
            if (again.situation() == Situation.UNKNOWN) {
                return ClusterResult.of(
                        spec.ref(),
                        Outcome.HELD,
                        "became unreadable after planning: "
                                + again.findings().getFirst().message());
            }
            var changed = Staleness.of(plan, again);
            if (changed.isPresent()) {
                return ClusterResult.of(spec.ref(), Outcome.STALE, changed.get());
            }
            return operations(spec, plan.operations(), lease, now);
        } finally {
            lease.release();
        }
    }

    private Poller poller(ClusterLease lease) {
        return new Poller(surroundings.clock(), surroundings.pause(), lease, progress::waits);
    }

    private ClusterResult operations(
            EtcdClusterSpec spec, List<PlannedOperation> planned, ClusterLease lease, ClusterState now) {
        var gateways = surroundings.gateways();
        var mark = new RunMark(run);
        var ports = gateways.ports(surroundings.random(), mark);
        var context = new StepContext(spec, ports, lease, poller(lease), fresh, now);
        var runner = new StepRunner(context, gateways.handlers().apply(context));
        var clock = surroundings.clock();
        return new OperationChain(gate, stop, surroundings.faults(), clock, progress, mark)
                .run(spec, planned, runner, new ChangeNotes(context, clock));
    }
}
