package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.Namespaces;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What prevents a run from changing anything, whatever documents say. An annotation on the reconciler's
/// own namespace stops all changes: while it is set, a plan says so first, and no operation is allowed.
/// `pressed` says why nothing may change; no ring is allowed in `forbidden` namespaces, whatever documents
/// say.
public record Suspensions(Namespaces forbidden, Supplier<Optional<String>> pressed) {
    static final Suspensions NONE = new Suspensions(new Namespaces(List.of()), Optional::empty);

    public static Suspensions of(Namespaces forbidden, KubernetesGateway kube, String namespace) {
        return new Suspensions(
                forbidden, () -> kube.namespaceSuspension(namespace).map(text -> text(namespace, text)));
    }

    static String text(String namespace, String why) {
        return "all changes are suspended by the annotation on namespace " + namespace + ": " + why;
    }

    /// A process that plans may be unable to read the annotation. That alone holds nothing here; a run
    /// treats it as set.
    FleetPlan held(FleetPlan plan) {
        try {
            return pressed.get().map(reason -> held(plan, reason)).orElse(plan);
        } catch (GatewayException e) {
            return plan.with(new Finding(
                    Level.WARNING,
                    FindingCode.STOP_UNKNOWN,
                    "whether all changes are suspended could not be read, and a run that cannot read this"
                            + " changes nothing: " + e.getMessage()));
        }
    }

    private static FleetPlan held(FleetPlan plan, String reason) {
        var rings = plan.clusters().stream().map(ring -> held(ring, reason)).toList();
        return plan.with(rings).with(new Finding(Level.WARNING, FindingCode.STOPPED, reason));
    }

    private static ClusterPlan held(ClusterPlan ring, String reason) {
        return ring.gated(planned -> planned.verdict().lets()
                ? planned.with(new Verdict.Hold(FindingCode.STOPPED.wire(), reason))
                : planned);
    }
}
