package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;

/// Metadata that all objects of a ring share.
public final class Metadata {
    private Metadata() {}

    static JsonObject of(RingObjects wanted, String name) {
        return of(wanted.spec().ref(), name, wanted.epoch());
    }

    /// `epoch` identifies the writer of the object; it is not part of the wanted state, see [Drift].
    public static JsonObject of(ClusterRef ref, String name, long epoch) {
        return new JsonObject()
                .put("name", name)
                .put("namespace", ref.namespace())
                .put("labels", Labels.of(ref))
                .put("annotations", Map.of(Labels.EPOCH, Long.toString(epoch)));
    }

    /// Selects the ring's members.
    static JsonObject members(ClusterRef ref) {
        return selector(Labels.selector(ref));
    }

    static JsonObject selector(Map<String, String> labels) {
        return new JsonObject().put("matchLabels", labels);
    }
}
