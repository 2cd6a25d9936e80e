package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import org.jspecify.annotations.Nullable;

/// Which Kubernetes cluster a connection leads to: the UID of its namespace `kube-system`, asked once.
final class ClusterIdentity {
    static final String KUBE_SYSTEM = "kube-system";

    private final KubeApi own;

    @Nullable
    private String uid;

    ClusterIdentity(KubeApi own) {
        this.own = own;
    }

    /// Throws [GatewayException], also where there is no such namespace; then the next call asks again.
    synchronized String uid() {
        if (uid == null) {
            uid = own.get(ObjectKind.NAMESPACE, "", KUBE_SYSTEM)
                    .map(Tree::uid)
                    .filter(found -> !found.isEmpty())
                    .orElseThrow(() -> new GatewayException(
                            Kind.NOT_FOUND,
                            false,
                            "there is no namespace kube-system, so this Kubernetes cluster cannot be identified"));
        }
        return uid;
    }
}
