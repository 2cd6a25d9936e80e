package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.RingPasswordsContract;

/// The contract on a real API server.
class Fabric8RingPasswordsIT extends RingPasswordsContract {
    @Override
    protected World open() {
        var kubernetes = RealKubernetes.open();
        return new PasswordsOnApi(kubernetes.connection(), kubernetes.namespace(), true, kubernetes::close);
    }
}
