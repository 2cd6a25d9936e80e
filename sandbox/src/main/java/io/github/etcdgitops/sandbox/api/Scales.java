package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.List;
import java.util.stream.Collectors;

/// The part of a StatefulSet that `kubectl scale` writes.
final class Scales {
    private Scales() {}

    static ObjectNode of(ObjectNode set) {
        ObjectNode scale = Call.JSON.createObjectNode().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode meta = Meta.of(set).deepCopy();
        meta.retain(List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp"));
        scale.set("metadata", meta);
        scale.putObject("spec").set("replicas", set.path("spec").path("replicas"));
        String selector = set.path("spec").path("selector").path("matchLabels").properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asText())
                .collect(Collectors.joining(","));
        scale.putObject("status")
                .put("selector", selector)
                .set("replicas", set.path("status").path("replicas"));
        return scale;
    }

    static ObjectNode scaled(ObjectNode set, JsonNode scale) {
        Meta.of(set).put("resourceVersion", Meta.resourceVersion(scale));
        set.withObjectProperty("spec")
                .put("replicas", scale.path("spec").path("replicas").asInt());
        return set;
    }
}
