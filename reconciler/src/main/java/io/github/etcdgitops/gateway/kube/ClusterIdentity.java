package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import org.jspecify.annotations.Nullable;

/// Which Kubernetes cluster a connection leads to: the UID of its namespace `kube-system`. It is asked once, also where
/// that fails: who asks ahead and who needs the answer do not both wait for a server that is silent.
final class ClusterIdentity {
    static final String KUBE_SYSTEM = "kube-system";

    private final KubeApi own;

    @Nullable
    private String uid;

    @Nullable
    private GatewayException failure;

    ClusterIdentity(KubeApi own) {
        this.own = own;
    }

    /// Throws [GatewayException], also where there is no such namespace.
    synchronized String uid() {
        if (failure != null) {
            throw failure;
        }
        if (uid == null) {
            try {
                uid = asked();
            } catch (GatewayException e) {
                failure = e;
                throw e;
            }
        }
        return uid;
    }

    private String asked() {
        return own.get(ObjectKind.NAMESPACE, "", KUBE_SYSTEM)
                .map(Tree::uid)
                .filter(found -> !found.isEmpty())
                .orElseThrow(() -> new GatewayException(
                        Kind.NOT_FOUND,
                        false,
                        "there is no namespace kube-system, so this Kubernetes cluster cannot be identified"));
    }
}
