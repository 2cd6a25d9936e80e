package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.objects.Meta;

/// What a loop works on, one at a time. The namespace is empty where the kind has none.
record Key(String namespace, String name) {
    static Key of(JsonNode object) {
        return new Key(Meta.namespace(object), Meta.name(object));
    }
}
