package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import java.util.function.Consumer;

/// One change of a StatefulSet that was read before: of exactly that object in that version.
record StatefulSetWrite(RingApis apis, ClusterRef ref, KubeState.StatefulSetState expected, long epoch) {
    /// If `change` throws, nothing is written.
    void change(Consumer<ObjectNode> change) {
        ObjectNode live = apis.of(ref)
                .get(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                .filter(object -> Tree.uid(object).equals(expected.uid()))
                .orElseThrow(() -> call().failed(Kind.CONFLICT, "the StatefulSet that was read is gone"));
        WriteGuard.check(call(), ref, live, epoch);
        if (!Tree.resourceVersion(live).equals(expected.resourceVersion())) {
            throw call().failed(Kind.CONFLICT, "it was changed since it was read");
        }
        change.accept(live);
        Tree.annotate(live, Labels.EPOCH, String.valueOf(epoch));
        apis.of(ref).update(ObjectKind.STATEFUL_SET, ref.namespace(), live);
    }

    ApiCall call() {
        return ApiCall.of(Verb.UPDATE, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name());
    }
}
