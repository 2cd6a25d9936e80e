package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;

/// The library's own client, for what tests prepare and look up.
final class TypedClient {
    private TypedClient() {}

    static KubernetesClient of(KubeConnection connection) {
        return new KubernetesClientBuilder()
                .withConfig(connection.configuration())
                .build();
    }
}
