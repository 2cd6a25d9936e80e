package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Contains the problems of one ring. No exception passes from here to the other rings of a run: a bug,
/// ours or of a library, makes its ring fail with a reference, and unknown facts of the ring do not count
/// as absent.
public final class RingBorder {
    private RingBorder() {}

    public static ClusterPlan plan(ClusterRef ref, Supplier<ClusterPlan> planning) {
        return Defect.contain(
                () -> {
                    try {
                        return planning.get();
                    } catch (GatewayException e) {
                        return ClusterPlan.unknown(
                                ref,
                                new Finding(Level.ERROR, FindingCode.RING_UNKNOWN, String.valueOf(e.getMessage())));
                    }
                },
                defect -> ClusterPlan.failed(ref, defect));
    }

    public static ClusterState state(ClusterRef ref, Supplier<ClusterState> observing) {
        return Defect.contain(observing, defect -> ClusterState.unread(ref, defect.in(ref)));
    }

    /// For what concerns the rings of a store or a location.
    public static <T> Observed<T> observed(Supplier<Observed<T>> reading) {
        return Defect.contain(reading, defect -> Observed.unknown("internal error, " + defect + ". Please report it"));
    }

    /// A ring whose planning failed has failed in the run.
    public static ClusterResult result(ClusterPlan plan, Supplier<ClusterResult> executing) {
        Optional<String> failed = plan.internalError();
        if (failed.isPresent()) {
            return ClusterResult.of(plan.ref(), Outcome.FAILED, failed.get());
        }
        return Defect.contain(executing, defect -> ClusterResult.of(plan.ref(), Outcome.FAILED, defect.in(plan.ref())));
    }

    /// The result, if its text can be rendered.
    public static ClusterResult worded(ClusterResult result) {
        return Defect.contain(
                () -> {
                    RingRun.of(result);
                    return result;
                },
                defect -> ClusterResult.of(result.ref(), Outcome.FAILED, defect.in(result.ref())));
    }

    /// If a fleet-wide rule fails, no ring may start a change.
    public static List<ClusterPlan> fleet(List<ClusterPlan> plans, UnaryOperator<List<ClusterPlan>> rule) {
        return Defect.contain(() -> rule.apply(plans), defect -> held(plans, defect));
    }

    private static List<ClusterPlan> held(List<ClusterPlan> plans, Defect defect) {
        var hold = new Verdict.Hold(
                FindingCode.INTERNAL_ERROR.wire(),
                "internal error in a rule about all rings, " + defect + ". Please report it");
        return plans.stream()
                .map(plan -> plan.gated(planned ->
                        planned.verdict().lets() && planned.operation().changesRing() ? planned.with(hold) : planned))
                .toList();
    }
}
