package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.KubernetesGateway;
import java.util.Map;
import java.util.TreeMap;

/// What pods have mounted.
public record Mounts(StepContext context) {
    /// The kubelet brings mounted files up to date when it looks at the pod again, which a changed
    /// annotation makes it do at once: `what` is to be another text each time.
    public void renew(int ordinal, String what) {
        context.pod(ordinal)
                .ifPresent(pod -> context.kube()
                        .markPod(
                                context.ref(),
                                ordinal,
                                pod.uid(),
                                new TreeMap<>(),
                                new TreeMap<>(Map.of(KubernetesGateway.CONFIG_ANNOTATION, what))));
    }
}
