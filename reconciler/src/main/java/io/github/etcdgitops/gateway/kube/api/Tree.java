package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Kubernetes objects as JSON trees. An object that is read, changed in one place and written back keeps
/// every field this way, also fields that only a newer server knows.
public final class Tree {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Tree() {}

    public static ObjectNode parse(byte[] json) throws IOException {
        if (JSON.readTree(json) instanceof ObjectNode object) {
            return object;
        }
        throw new IOException("not a JSON object");
    }

    static JsonParser parser(InputStream body) throws IOException {
        return JSON.getFactory().createParser(body);
    }

    public static String text(JsonNode tree) {
        return tree.toString();
    }

    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /// As maps, lists and scalars. A field that is null is left out.
    public static Map<String, Object> plain(JsonNode object) {
        return plain(object, Set.of(), Map.of());
    }

    /// The same without these fields, and without these of the fields below some.
    public static Map<String, Object> plain(
            JsonNode object, Set<String> without, Map<String, Set<String>> withoutBelow) {
        var map = new LinkedHashMap<String, Object>();
        for (var field : object.properties()) {
            String name = field.getKey();
            JsonNode below = field.getValue();
            Object value = without.contains(name)
                    ? null
                    : withoutBelow.containsKey(name) && below.isObject()
                            ? plain(below, withoutBelow.get(name), Map.of())
                            : value(below);
            if (value != null) {
                map.put(name, value);
            }
        }
        return Collections.unmodifiableMap(map);
    }

    private static @Nullable Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> plain(node);
            case ARRAY -> list(node);
            case STRING -> node.textValue();
            case NUMBER -> node.numberValue();
            case BOOLEAN -> node.booleanValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }

    private static List<@Nullable Object> list(JsonNode array) {
        var list = new ArrayList<@Nullable Object>();
        array.forEach(item -> list.add(value(item)));
        return Collections.unmodifiableList(list);
    }

    public static ObjectNode metadata(ObjectNode object) {
        return object.withObjectProperty("metadata");
    }

    /// An object of the reconciler's own, without contents.
    public static ObjectNode ofReconciler(String namespace, String name) {
        ObjectNode object = object();
        metadata(object)
                .put("namespace", namespace)
                .put("name", name)
                .withObjectProperty("labels")
                .put(Labels.NAME, Labels.MANAGER);
        return object;
    }

    public static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    public static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    public static String resourceVersion(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }

    public static Map<String, String> labels(JsonNode object) {
        return strings(object.path("metadata").path("labels"));
    }

    public static Optional<String> annotation(JsonNode object, String key) {
        JsonNode value = object.path("metadata").path("annotations").path(key);
        return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
    }

    /// The fencing number of the last writer; 0 where there is none.
    public static long epoch(JsonNode object) {
        String text = annotation(object, Labels.EPOCH).orElse("");
        boolean number = !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(text) : 0;
    }

    public static void annotate(ObjectNode object, String key, String value) {
        metadata(object).withObjectProperty("annotations").put(key, value);
    }

    public static Map<String, String> strings(JsonNode map) {
        var strings = new LinkedHashMap<String, String>();
        map.properties().forEach(e -> strings.put(e.getKey(), e.getValue().asText()));
        return strings;
    }

    public static boolean ours(ClusterRef ref, JsonNode object) {
        return Labels.ours(ref, labels(object));
    }

    public static boolean terminating(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /// A time as Kubernetes writes it; empty where there is none.
    public static Optional<Instant> time(JsonNode text) {
        return text.isTextual() ? Moments.parse(text.asText()) : Optional.empty();
    }

    /// Whether the controller has seen the latest generation, so that the status belongs to the spec.
    public static boolean settled(JsonNode object) {
        return object.path("status").path("observedGeneration").asLong(0)
                >= object.path("metadata").path("generation").asLong(Long.MAX_VALUE);
    }
}
