package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.value.Namespaces;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What keeps a run from changes, whatever documents say. The stop button for everything is an annotation on
/// the reconciler's own namespace: while it is pressed a plan says so first, and calls no operation allowed.
/// `pressed` says why nothing may be changed; no ring stands in namespaces that are `forbidden`, whatever
/// documents say.
public record Suspensions(Namespaces forbidden, Supplier<Optional<String>> pressed) {
    static final Suspensions NONE = new Suspensions(new Namespaces(List.of()), Optional::empty);

    public static Suspensions of(Namespaces forbidden, KubernetesGateway kube, String namespace) {
        return new Suspensions(
                forbidden, () -> kube.namespaceSuspension(namespace).map(text -> text(namespace, text)));
    }

    static String text(String namespace, String why) {
        return "all changes are suspended by the annotation on namespace " + namespace + ": " + why;
    }

    /// Who may plan need not be able to read the annotation: that alone holds nothing here, and a run takes it as
    /// pressed.
    FleetPlan held(FleetPlan plan) {
        try {
            return pressed.get().map(reason -> held(plan, reason)).orElse(plan);
        } catch (GatewayException e) {
            return plan.with(new Finding(
                    Level.WARNING,
                    "stop-unknown",
                    "whether all changes are suspended could not be read, and a run that cannot read this"
                            + " changes nothing: " + e.getMessage()));
        }
    }

    private static FleetPlan held(FleetPlan plan, String reason) {
        var rings = plan.clusters().stream().map(ring -> held(ring, reason)).toList();
        return plan.with(rings).with(new Finding(Level.WARNING, FleetPlan.STOPPED, reason));
    }

    private static ClusterPlan held(ClusterPlan ring, String reason) {
        return ring.gated(planned ->
                planned.verdict().lets() ? planned.with(new Verdict.Hold(FleetPlan.STOPPED, reason)) : planned);
    }
}
