package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.ForeignObjectReads;
import io.github.etcdgitops.spec.value.ClusterRef;

/// Refuses to change an object that is not the ring's, or that a newer run has changed.
public final class WriteGuard {
    private WriteGuard() {}

    public static void check(ApiCall call, ClusterRef ref, ObjectNode live, long epoch) {
        ForeignObjectReads.refuse(call, ref, live);
        if (Tree.epoch(live) > epoch) {
            throw call.failed(
                    Kind.CONFLICT, "a newer run has changed it (epoch " + Tree.epoch(live) + " over " + epoch + ")");
        }
    }
}
