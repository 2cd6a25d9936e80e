package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A JSON object, written field by field in any order: its fields are sorted, as in [CanonicalJson]. Absent
/// values and empty lists and maps are left out, as an API server leaves them out; an empty object stays.
public final class JsonObject {
    private final ObjectNode tree;

    public JsonObject() {
        this(CanonicalJson.MAPPER.createObjectNode());
    }

    private JsonObject(ObjectNode tree) {
        this.tree = tree;
    }

    /// With the fields of `value`, a map or another object.
    public static JsonObject from(Object value) {
        return new JsonObject(CanonicalJson.MAPPER.<ObjectNode>valueToTree(value));
    }

    /// A Kubernetes object, which begins with its kind. Its other fields follow as they are put.
    public static JsonObject of(ObjectKind kind, JsonObject metadata) {
        return new JsonObject(Tree.object())
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("metadata", metadata);
    }

    public JsonObject put(String field, String text) {
        tree.put(field, text);
        return this;
    }

    public JsonObject put(String field, Optional<String> text) {
        text.ifPresent(value -> tree.put(field, value));
        return this;
    }

    public JsonObject put(String field, boolean flag) {
        tree.put(field, flag);
        return this;
    }

    /// As a parser reads it: as an `int` where it is one.
    public JsonObject put(String field, long number) {
        if (number == (int) number) {
            tree.put(field, (int) number);
        } else {
            tree.put(field, number);
        }
        return this;
    }

    public JsonObject put(String field, JsonObject object) {
        tree.set(field, object.tree);
        return this;
    }

    public JsonObject put(String field, Map<String, String> texts) {
        if (!texts.isEmpty()) {
            var map = new JsonObject();
            texts.forEach(map::put);
            put(field, map);
        }
        return this;
    }

    public JsonObject texts(String field, List<String> items) {
        if (!items.isEmpty()) {
            var list = tree.putArray(field);
            items.forEach(list::add);
        }
        return this;
    }

    public JsonObject objects(String field, List<JsonObject> items) {
        if (!items.isEmpty()) {
            var list = tree.putArray(field);
            items.forEach(item -> list.add(item.tree));
        }
        return this;
    }

    /// Not a copy.
    public ObjectNode tree() {
        return tree;
    }
}
