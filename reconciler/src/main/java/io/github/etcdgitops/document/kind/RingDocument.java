package io.github.etcdgitops.document.kind;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.document.yaml.PlainValues;
import io.github.etcdgitops.document.yaml.YamlDocument;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A ring's document as expressions see it: with the schema's defaults in every existing object, always
/// with labels and annotations, and with whole numbers as `Long`. An absent object stays absent.
public final class RingDocument {
    private RingDocument() {}

    public static Map<String, Object> of(YamlDocument document) {
        var schema = Schemas.of(DocumentKind.ETCD_CLUSTER).getSchemaNode();
        var whole = new TreeMap<>(filled(PlainValues.map(document.root()), schema, schema));
        whole.computeIfPresent("metadata", (_, metadata) -> {
            var all = new TreeMap<String, Object>();
            ((Map<?, ?>) metadata).forEach((key, value) -> all.put(String.valueOf(key), value));
            all.putIfAbsent("labels", Map.of());
            all.putIfAbsent("annotations", Map.of());
            return all;
        });
        return whole;
    }

    private static Map<String, Object> filled(Map<?, ?> map, JsonNode given, JsonNode root) {
        var schema = resolved(given, root);
        var all = new TreeMap<String, Object>();
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            var known = schema.path("properties").path(name);
            all.put(name, value(value, known.isMissingNode() ? schema.path("additionalProperties") : known, root));
        });
        schema.path("properties").properties().forEach(property -> {
            var otherwise = resolved(property.getValue(), root).path("default");
            if (otherwise.isValueNode() && !otherwise.isNull()) {
                all.computeIfAbsent(property.getKey(), _ -> scalar(otherwise));
            }
        });
        return all;
    }

    private static Object value(Object value, JsonNode schema, JsonNode root) {
        if (value instanceof Map<?, ?> map) {
            return filled(map, schema, root);
        }
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(item -> value(item, resolved(schema, root).path("items"), root))
                    .toList();
        }
        return value instanceof Integer number ? Long.valueOf(number) : value;
    }

    private static Object scalar(JsonNode node) {
        return node.isIntegralNumber()
                ? node.longValue()
                : node.isNumber() ? node.doubleValue() : node.isBoolean() ? node.booleanValue() : node.asText();
    }

    private static JsonNode resolved(JsonNode schema, JsonNode root) {
        return schema.has("$ref") ? root.at(schema.path("$ref").asText().substring(1)) : schema;
    }
}
