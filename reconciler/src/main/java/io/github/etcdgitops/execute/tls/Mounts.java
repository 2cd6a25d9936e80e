package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.KubernetesGateway;
import java.util.Map;
import java.util.TreeMap;

/// Handles files that pods have mounted.
public record Mounts(StepContext context) {
    /// The kubelet updates mounted files when it syncs the pod again; a changed annotation makes it do so
    /// at once. `what` must be a different text each time.
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
