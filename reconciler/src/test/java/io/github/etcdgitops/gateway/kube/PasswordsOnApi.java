package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswordsContract;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/// Secrets with passwords behind an API server; `closing` puts away what the test was given.
record PasswordsOnApi(KubeConnection connection, String namespace, boolean provesAbsence, Runnable closing)
        implements RingPasswordsContract.World {
    @Override
    public RingPasswords passwords() {
        return new Fabric8RingPasswords(connection);
    }

    @Override
    public void putForeign(ClusterRef ref, String name, String key, String value) {
        String data = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        connection
                .own()
                .create(
                        ObjectKind.SECRET,
                        namespace,
                        Rendered.tree(new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(name)
                                .endMetadata()
                                .withType("Opaque")
                                .withData(Map.of(key, data))
                                .build()));
    }

    @Override
    public void lose(ClusterRef ref, String name) {
        TypedClient.of(connection)
                .secrets()
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    @Override
    public void close() {
        closing.run();
    }
}
