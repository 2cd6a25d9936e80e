package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.RingSecretsContract;

/// The contract on a real API server.
class Fabric8RingSecretsIT extends RingSecretsContract {
    @Override
    protected World open() {
        var kubernetes = RealKubernetes.open();
        return new SecretsOnApi(kubernetes.connection(), kubernetes.namespace(), true, kubernetes::close);
    }
}
