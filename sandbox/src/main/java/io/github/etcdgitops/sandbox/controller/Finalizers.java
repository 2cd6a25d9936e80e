package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;

/// What a deletion waits for.
final class Finalizers {
    private Finalizers() {}

    static ObjectNode without(ObjectNode object, String finalizer) {
        ArrayNode finalizers = Meta.of(object).withArrayProperty("finalizers");
        finalizers.removeIf(found -> found.asText().equals(finalizer));
        if (finalizers.isEmpty()) {
            Meta.of(object).remove("finalizers");
        }
        return object;
    }
}
