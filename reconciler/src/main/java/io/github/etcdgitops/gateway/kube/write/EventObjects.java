package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingEvents;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Events on a ring's StatefulSet. One object for each message about a ring: its name is a digest of the
/// message, so that a run that reports the same again increases its count instead of adding another one.
public final class EventObjects implements RingEvents {
    private static final int LONGEST = 1024;
    private static final int DIGITS = 16;

    private final RingApis apis;
    private final InstantSource clock;

    public EventObjects(KubeConnection connection, InstantSource clock) {
        this.apis = connection.rings();
        this.clock = clock;
    }

    @Override
    public void tell(ClusterRef ref, Event event) {
        try {
            String uid = apis.of(ref)
                    .get(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                    .map(Tree::uid)
                    .orElse("");
            String name = ref.name() + "." + Digests.name(uid + event.reason() + event.message(), DIGITS);
            if (!counted(ref, name)) {
                create(ref, uid, name, event);
            }
        } catch (GatewayException _) {
            // The failure is ignored: the report says the same.
        }
    }

    private boolean counted(ClusterRef ref, String name) {
        Optional<ObjectNode> known = apis.of(ref).get(ObjectKind.EVENT, ref.namespace(), name);
        known.ifPresent(object -> {
            object.put("count", object.path("count").asInt(1) + 1).put("lastTimestamp", now());
            apis.of(ref).update(ObjectKind.EVENT, ref.namespace(), object);
        });
        return known.isPresent();
    }

    private void create(ClusterRef ref, String uid, String name, Event event) {
        var object = Tree.object();
        Tree.metadata(object).put("namespace", ref.namespace()).put("name", name);
        object.put("type", event.warning() ? "Warning" : "Normal")
                .put("reason", event.reason())
                .put("message", cut(Inert.line(event.message())))
                .put("count", 1)
                .put("firstTimestamp", now())
                .put("lastTimestamp", now())
                .put("reportingComponent", Labels.MANAGER);
        object.putObject("source").put("component", Labels.MANAGER);
        var involved = object.putObject("involvedObject")
                .put("apiVersion", ObjectKind.STATEFUL_SET.apiVersion())
                .put("kind", ObjectKind.STATEFUL_SET.kind())
                .put("namespace", ref.namespace())
                .put("name", ref.name());
        if (!uid.isEmpty()) {
            involved.put("uid", uid);
        }
        try {
            apis.of(ref).create(ObjectKind.EVENT, ref.namespace(), object);
        } catch (GatewayException e) {
            if (e.kind() != Kind.CONFLICT) {
                throw e;
            }
        }
    }

    /// At most as many bytes as an API server accepts.
    private static String cut(String text) {
        int end = 0;
        for (int bytes = 0; end < text.length(); ) {
            int next = text.offsetByCodePoints(end, 1);
            bytes += text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST) {
                break;
            }
            end = next;
        }
        return text.substring(0, end);
    }

    /// Times of Events have whole seconds.
    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
