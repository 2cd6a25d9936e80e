package io.github.etcdgitops.sandbox.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.objects.Meta;

/// Which pod, whatever incarnation of it.
public record PodKey(String namespace, String name) {
    public static PodKey of(JsonNode pod) {
        return new PodKey(Meta.namespace(pod), Meta.name(pod));
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
