package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.Map;

/// A process that renders a ring and compares it with objects that are as they should be.
final class RingAtRest {
    private RingAtRest() {}

    /// `own`: the spec has Kubernetes values of its own under `podTemplate`.
    public static void main(String[] arguments) {
        var resources = Map.<String, Object>of("requests", Map.of("cpu", "500m"), "limits", Map.of("memory", "1Gi"));
        Map<String, Object> pod = arguments[0].equals("own") ? Map.of("schedulerName", "packer") : Map.of();
        var wanted = Samples.with(Samples.defaults("3.5.16"), Samples.podTemplate(resources, pod));
        var manifests = new KubernetesManifests();

        var drift = manifests.drift(live(manifests, wanted), wanted);

        if (!drift.isEmpty() || manifests.templateDigest(wanted).isEmpty()) {
            throw new AssertionError(drift);
        }
    }

    private static KubeState live(KubernetesManifests manifests, RingObjects wanted) {
        var unread = KubeState.unread("it is not needed");
        return new KubeState(
                unread.statefulSet(),
                unread.journal(),
                unread.pods(),
                unread.claims(),
                unread.budget(),
                unread.configs(),
                new KubeState.Objects(true, Observed.known(manifests.render(wanted))));
    }
}
