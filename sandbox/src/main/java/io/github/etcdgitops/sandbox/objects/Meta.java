package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `metadata`, as every kind has it.
public final class Meta {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private Meta() {}

    public static ObjectNode of(ObjectNode object) {
        return object.withObjectProperty("metadata");
    }

    public static String text(JsonNode object, String field) {
        return object.path("metadata").path(field).asText("");
    }

    public static String name(JsonNode object) {
        return text(object, "name");
    }

    public static String namespace(JsonNode object) {
        return text(object, "namespace");
    }

    public static String uid(JsonNode object) {
        return text(object, "uid");
    }

    public static String resourceVersion(JsonNode object) {
        return text(object, "resourceVersion");
    }

    public static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    public static boolean deleting(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    public static List<String> finalizers(JsonNode object) {
        var finalizers = new ArrayList<String>();
        object.path("metadata").path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
        return finalizers;
    }

    /// A point in time as Kubernetes writes it: whole seconds.
    public static String time(Instant instant) {
        return SECONDS.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /// Nothing and null are the same to an API server.
    static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        } else if (node instanceof ArrayNode array) {
            array.removeIf(JsonNode::isNull);
        }
        node.forEach(Meta::dropNulls);
    }

    /// Sets `field` of `to` to what it is in `from`, which may be nothing.
    static void carry(String field, JsonNode from, ObjectNode to) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value.deepCopy());
        }
    }

    static void putDefault(ObjectNode node, String field, String value) {
        if (node.path(field).asText("").isEmpty()) {
            node.put(field, value);
        }
    }

    static void putDefault(ObjectNode node, String field, int value) {
        if (!node.has(field)) {
            node.put(field, value);
        }
    }

    static List<ObjectNode> objects(JsonNode array) {
        var objects = new ArrayList<ObjectNode>();
        array.forEach(item -> {
            if (item instanceof ObjectNode object) {
                objects.add(object);
            }
        });
        return objects;
    }

    static Iterable<Map.Entry<String, JsonNode>> entries(JsonNode node) {
        return node.properties();
    }
}
