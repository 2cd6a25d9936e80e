package io.github.etcdgitops.document.yaml;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// YAML trees as plain, unmodifiable maps and lists, with sorted keys, so that equal documents give equal
/// values. A field without a value is left out, as in Kubernetes.
public final class PlainValues {
    private PlainValues() {}

    public static SortedMap<String, Object> map(YamlNode node) {
        var map = new TreeMap<String, Object>();
        if (node instanceof YamlNode.Mapping mapping) {
            mapping.fields().forEach((key, field) -> {
                if (!field.value().isNothing()) {
                    map.put(key, value(field.value()));
                }
            });
        }
        return Collections.unmodifiableSortedMap(map);
    }

    /// For maps whose values are texts by their schema, and for quantities, whose text counts: `1` and
    /// `"1"` are the same to Kubernetes.
    public static SortedMap<String, String> texts(YamlNode node) {
        var map = new TreeMap<String, String>();
        if (node instanceof YamlNode.Mapping mapping) {
            mapping.fields().forEach((key, field) -> {
                if (field.value() instanceof YamlNode.Scalar scalar) {
                    map.put(key, scalar.text());
                }
            });
        }
        return Collections.unmodifiableSortedMap(map);
    }

    static Object value(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping mapping -> map(mapping);
            case YamlNode.Sequence(int _, int _, List<YamlNode> items) ->
                items.stream().map(PlainValues::value).toList();
            case YamlNode.Scalar scalar -> scalar(scalar);
        };
    }

    private static Object scalar(YamlNode.Scalar scalar) {
        var json = scalar.value();
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isNumber()) {
            return json.numberValue();
        }
        return scalar.text();
    }
}
