package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;

/// Objects that have one of a ring's names and not its labels: they are not ours, and we never change them.
public final class ForeignObjectReads {
    static final String WORDS = "has a name of this ring but not its labels: it is not managed by etcd-gitops";

    private ForeignObjectReads() {}

    public static void refuse(ApiCall call, ClusterRef ref, JsonNode object) {
        if (!Tree.ours(ref, object)) {
            throw call.failed(Kind.REJECTED, "it " + WORDS);
        }
    }
}
