package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.ForeignObjectReads;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Changes to one member's pod and claim, each bound to the UID that the caller has seen: a recreated pod
/// with the same name is another pod.
public final class MemberWrites {
    private static final int ATTEMPTS = 5;

    private final RingApis apis;

    public MemberWrites(RingApis apis) {
        this.apis = apis;
    }

    public void markPod(
            ClusterRef ref, int ordinal, String uid, Map<String, String> labels, Map<String, String> annotations) {
        mark(ObjectKind.POD, ref, ref.podName(ordinal), uid, live -> {
            labels.forEach((key, value) -> label(live, key, value));
            annotations.forEach((key, value) -> Tree.annotate(live, key, value));
        });
    }

    /// A claim that is in use again has no date: otherwise its next member to leave would seem to have left
    /// long ago.
    public void markClaim(ClusterRef ref, String name, String uid, Optional<Instant> left) {
        mark(ObjectKind.CLAIM, ref, name, uid, live -> {
            label(live, Labels.RELEASED, left.isPresent() ? Labels.YES : "no");
            left.ifPresentOrElse(
                    at -> Tree.annotate(
                            live,
                            Labels.RELEASED_AT,
                            at.truncatedTo(ChronoUnit.SECONDS).toString()),
                    () -> Tree.metadata(live).withObjectProperty("annotations").remove(Labels.RELEASED_AT));
        });
    }

    private static void label(ObjectNode live, String key, String value) {
        Tree.metadata(live).withObjectProperty("labels").put(key, value);
    }

    /// The kubelet and the volume controller write the same objects at any time. Their writes are no
    /// conflict with ours: read and try again, as long as it is the same object.
    private void mark(ObjectKind kind, ClusterRef ref, String name, String uid, Consumer<ObjectNode> marks) {
        ApiCall call = ApiCall.of(Verb.UPDATE, kind, ref.namespace(), name);
        for (int attempt = 1; ; attempt++) {
            ObjectNode live = expected(call, kind, ref, name, uid);
            ObjectNode before = live.deepCopy();
            marks.accept(live);
            if (live.equals(before)) {
                return;
            }
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

    public void deletePod(ClusterRef ref, int ordinal, String uid) {
        String name = ref.podName(ordinal);
        expected(ApiCall.of(Verb.DELETE, ObjectKind.POD, ref.namespace(), name), ObjectKind.POD, ref, name, uid);
        apis.of(ref).delete(ObjectKind.POD, ref.namespace(), name, uid);
    }

    public void releasePod(ClusterRef ref, int ordinal, String uid) {
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
        ForeignObjectReads.refuse(call, ref, live);
        return live;
    }
}
