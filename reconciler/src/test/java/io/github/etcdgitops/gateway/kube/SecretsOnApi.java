package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingSecretsContract;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Base64;
import java.util.Map;

/// Secrets behind an API server; `closing` puts away what the test was given.
record SecretsOnApi(KubeConnection connection, String namespace, boolean provesAbsence, Runnable closing)
        implements RingSecretsContract.World {
    @Override
    public RingSecrets secrets() {
        return new Fabric8RingSecrets(connection);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public void putForeign(ClusterRef ref, RingSecrets.Kind kind, RingSecrets.Content content) {
        put(
                ref,
                kind,
                Map.of(
                        "tls.crt", base64(content.certificate()),
                        "tls.key", base64(content.key()),
                        "ca.crt", base64(content.ca())));
    }

    @Override
    public void putIncomplete(ClusterRef ref, RingSecrets.Kind kind) {
        put(ref, kind, Map.of("tls.key", base64(new byte[] {1}), "ca.crt", base64(new byte[] {1})));
    }

    /// `Opaque`, because a server lets no `kubernetes.io/tls` be incomplete.
    private void put(ClusterRef ref, RingSecrets.Kind kind, Map<String, String> data) {
        connection
                .own()
                .create(
                        ObjectKind.SECRET,
                        namespace,
                        Rendered.tree(new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(kind.secretName(ref))
                                .endMetadata()
                                .withType("Opaque")
                                .withData(data)
                                .build()));
    }

    @Override
    public void lose(ClusterRef ref, RingSecrets.Kind kind) {
        connection
                .client()
                .secrets()
                .inNamespace(namespace)
                .withName(kind.secretName(ref))
                .delete();
    }

    @Override
    public void close() {
        closing.run();
    }
}
