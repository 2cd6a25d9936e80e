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
public final class ByteFields {
    private ByteFields() {}

    public static YamlDocument asNumbers(YamlDocument document, DocumentKind kind) {
        var schema = Schemas.of(kind).getSchemaNode();
        return new YamlDocument(document.file(), node(document.root(), schema, schema), document.violations());
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

    private static YamlNode node(YamlNode node, JsonNode given, JsonNode root) {
        var rule = given.has("$ref") ? root.at(given.path("$ref").asText().substring(1)) : given;
        return switch (node) {
            case YamlNode.Mapping mapping when rule.has("properties") -> mapping(mapping, rule, root);
            case YamlNode.Sequence(int line, int column, var items)
            when rule.has("items") -> {
                var all = new ArrayList<YamlNode>();
                items.forEach(item -> all.add(node(item, rule.path("items"), root)));
                yield new YamlNode.Sequence(line, column, all);
            }
            case YamlNode.Scalar scalar when takes(rule) -> number(scalar);
            case YamlNode.Mapping _, YamlNode.Sequence _, YamlNode.Scalar _ -> node;
        };
    }

    private static YamlNode mapping(YamlNode.Mapping mapping, JsonNode rule, JsonNode root) {
        var fields = new LinkedHashMap<String, YamlNode.Field>();
        mapping.fields()
                .forEach((key, field) -> fields.put(
                        key,
                        new YamlNode.Field(
                                field.line(),
                                field.column(),
                                node(field.value(), rule.path("properties").path(key), root))));
        return new YamlNode.Mapping(mapping.line(), mapping.column(), fields);
    }

    private static YamlNode number(YamlNode.Scalar scalar) {
        return new YamlNode.Scalar(scalar.line(), scalar.column(), asNumber(scalar.value()), scalar.text());
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
