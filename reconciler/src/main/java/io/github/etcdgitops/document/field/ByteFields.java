package io.github.etcdgitops.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import io.github.etcdgitops.document.yaml.PlainScalar;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Fields with a number of bytes, or a quantity such as `8Gi`: those that the schema allows to be an
/// integer or a string. Quantities become numbers here, so that limits, checks and expressions see only one
/// form.
@SuppressWarnings("ReferenceEquality") // the same node: nothing below it has changed
public final class ByteFields {
    private ByteFields() {}

    public static YamlDocument asNumbers(YamlDocument document, DocumentKind kind) {
        var schema = Schemas.of(kind).getSchemaNode();
        var root = node(document.root(), schema, schema);
        return root == document.root() ? document : new YamlDocument(document.file(), root, document.violations());
    }

    public static boolean takes(JsonNode rule) {
        boolean integer = false;
        boolean string = false;
        for (var type : rule.path("type")) {
            integer |= type.asText().equals("integer");
            string |= type.asText().equals("string");
        }
        return integer && string;
    }

    /// The same node where nothing below it changes: documents are many, and few have quantities.
    private static YamlNode node(YamlNode node, JsonNode given, JsonNode root) {
        var rule = given.has("$ref") ? root.at(given.path("$ref").asText().substring(1)) : given;
        return switch (node) {
            case YamlNode.Mapping mapping when rule.has("properties") -> mapping(mapping, rule, root);
            case YamlNode.Sequence sequence when rule.has("items") -> sequence(sequence, rule.path("items"), root);
            case YamlNode.Scalar scalar when takes(rule) -> number(scalar);
            case YamlNode.Mapping _, YamlNode.Sequence _, YamlNode.Scalar _ -> node;
        };
    }

    private static YamlNode sequence(YamlNode.Sequence sequence, JsonNode rule, JsonNode root) {
        var all = new ArrayList<YamlNode>();
        boolean same = true;
        for (var item : sequence.items()) {
            var below = node(item, rule, root);
            same &= below == item;
            all.add(below);
        }
        return same ? sequence : new YamlNode.Sequence(sequence.line(), sequence.column(), all);
    }

    private static YamlNode mapping(YamlNode.Mapping mapping, JsonNode rule, JsonNode root) {
        var changed = new LinkedHashMap<String, YamlNode.Field>();
        mapping.fields().forEach((key, field) -> {
            var below = node(field.value(), rule.path("properties").path(key), root);
            if (below != field.value()) {
                changed.put(key, new YamlNode.Field(field.line(), field.column(), below));
            }
        });
        if (changed.isEmpty()) {
            return mapping;
        }
        var fields = new LinkedHashMap<>(mapping.fields());
        fields.putAll(changed);
        return new YamlNode.Mapping(mapping.line(), mapping.column(), fields);
    }

    private static YamlNode number(YamlNode.Scalar scalar) {
        var number = asNumber(scalar.value());
        return number == scalar.value()
                ? scalar
                : new YamlNode.Scalar(scalar.line(), scalar.column(), number, scalar.text());
    }

    /// Unchanged where it is not a quantity.
    public static JsonNode asNumber(JsonNode value) {
        return value.isTextual()
                ? Quantity.parse(value.asText())
                        .map(quantity -> json(quantity.value()))
                        .orElse(value)
                : value;
    }

    private static JsonNode json(BigDecimal value) {
        if (value.signum() != 0 && value.stripTrailingZeros().scale() > 0) {
            return DecimalNode.valueOf(value);
        }
        BigInteger whole = value.toBigIntegerExact();
        return whole.bitLength() < Long.SIZE
                ? PlainScalar.integer(whole.longValueExact())
                : BigIntegerNode.valueOf(whole);
    }
}
