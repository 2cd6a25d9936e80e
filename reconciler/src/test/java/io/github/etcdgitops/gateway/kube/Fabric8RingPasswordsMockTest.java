package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.github.etcdgitops.gateway.RingPasswordsContract;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;

/// The contract without Kubernetes, but for what hangs on how a real one says that nothing is there.
@EnableKubernetesMockClient(crud = true)
class Fabric8RingPasswordsMockTest extends RingPasswordsContract {
    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    @Override
    protected World open() {
        var config = new ConfigBuilder(client.getConfiguration()).build();
        var connection = KubeConnection.of(config, KubeConnection.Settings.DEFAULT);
        return new PasswordsOnApi(connection, "ns", false, connection::close);
    }
}
