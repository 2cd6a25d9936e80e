package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.ApiCall.Verb;
import io.github.etcdgitops.spec.ClusterRef;
import java.util.Map;

/// Changes to one member's pod and claim, each bound to the UID that the caller has seen: a pod that was
/// made anew under the same name is another pod.
final class MemberWrites {
    private static final int ATTEMPTS = 5;

    private final RingApis apis;

    MemberWrites(RingApis apis) {
        this.apis = apis;
    }

    void markPod(ClusterRef ref, int ordinal, String uid, Map<String, String> labels, Map<String, String> annotations) {
        mark(ObjectKind.POD, ref, ref.podName(ordinal), uid, labels, annotations);
    }

    void markClaim(ClusterRef ref, String name, String uid, boolean released) {
        Map<String, String> labels = Map.of(Labels.RELEASED, released ? Labels.YES : "no");
        mark(ObjectKind.CLAIM, ref, name, uid, labels, Map.of());
    }

    /// The kubelet and the volume controller write the same objects at any time. Their writes are no
    /// conflict with ours: read again and try again, as long as it is the same object.
    private void mark(
            ObjectKind kind,
            ClusterRef ref,
            String name,
            String uid,
            Map<String, String> labels,
            Map<String, String> annotations) {
        ApiCall call = ApiCall.of(Verb.UPDATE, kind, ref.namespace(), name);
        for (int attempt = 1; ; attempt++) {
            ObjectNode live = expected(call, kind, ref, name, uid);
            if (carries(live, labels, annotations)) {
                return;
            }
            labels.forEach((key, value) ->
                    Tree.metadata(live).withObjectProperty("labels").put(key, value));
            annotations.forEach((key, value) -> Tree.annotate(live, key, value));
            try {
                apis.of(ref).update(kind, ref.namespace(), live);
                return;
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean carries(ObjectNode live, Map<String, String> labels, Map<String, String> annotations) {
        return Tree.labels(live).entrySet().containsAll(labels.entrySet())
                && annotations.entrySet().stream()
                        .allMatch(e -> Tree.annotation(live, e.getKey())
                                .filter(e.getValue()::equals)
                                .isPresent());
    }

    void deletePod(ClusterRef ref, int ordinal, String uid) {
        String name = ref.podName(ordinal);
        expected(ApiCall.of(Verb.DELETE, ObjectKind.POD, ref.namespace(), name), ObjectKind.POD, ref, name, uid);
        apis.of(ref).delete(ObjectKind.POD, ref.namespace(), name, uid);
    }

    void releasePod(ClusterRef ref, int ordinal, String uid) {
        String name = ref.podName(ordinal);
        var call = ApiCall.of(Verb.DELETE, ObjectKind.POD, ref.namespace(), name);
        if (!Tree.terminating(expected(call, ObjectKind.POD, ref, name, uid))) {
            throw call.failed(Kind.CONFLICT, "it is not being deleted");
        }
        apis.of(ref).deleteAtOnce(ObjectKind.POD, ref.namespace(), name, uid);
    }

    private ObjectNode expected(ApiCall call, ObjectKind kind, ClusterRef ref, String name, String uid) {
        ObjectNode live = apis.of(ref)
                .get(kind, ref.namespace(), name)
                .filter(object -> Tree.uid(object).equals(uid))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "the one that was read is gone"));
        Foreigners.refuse(call, ref, live);
        return live;
    }
}
