package io.github.etcdgitops.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The types of documents from their JSON Schema, so that an expression with an unknown field is refused
/// before it is ever evaluated.
final class SchemaTypes {
    private final Map<String, StructType> structs = new HashMap<>();

    /// Declares a struct by its schema, and all structs below it. Returns its type.
    CelType declare(String name, JsonNode schema) {
        return type(name, schema, schema);
    }

    /// Declares a struct by the types of its fields.
    CelType declare(String name, Map<String, CelType> fields) {
        var types = ImmutableMap.copyOf(fields);
        structs.put(name, StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field))));
        return StructTypeReference.create(name);
    }

    private CelType type(String name, JsonNode schema, JsonNode root) {
        if (schema.has("$ref")) {
            String pointer = schema.path("$ref").asText().substring(1);
            return type(name, root.at(pointer), root);
        }
        return switch (kind(schema)) {
            case "object" -> object(name, schema, root);
            case "array" -> ListType.create(type(name + ".item", schema.path("items"), root));
            case "string" -> SimpleType.STRING;
            case "integer" -> SimpleType.INT;
            case "number" -> SimpleType.DOUBLE;
            case "boolean" -> SimpleType.BOOL;
            default -> SimpleType.DYN;
        };
    }

    private static String kind(JsonNode schema) {
        if (schema.path("const").isTextual()) {
            return "string";
        }
        // Bytes, which may be written as a quantity, are a number when an expression sees them.
        for (var type : schema.path("type")) {
            if (type.asText().equals("integer")) {
                return "integer";
            }
        }
        return schema.path("type").asText("");
    }

    private CelType object(String name, JsonNode schema, JsonNode root) {
        if (!schema.has("properties")) {
            var values = schema.path("additionalProperties");
            return MapType.create(
                    SimpleType.STRING, values.isObject() ? type(name + ".value", values, root) : SimpleType.DYN);
        }
        var fields = new LinkedHashMap<String, CelType>();
        schema.path("properties")
                .properties()
                .forEach(p -> fields.put(p.getKey(), type(name + "." + p.getKey(), p.getValue(), root)));
        return declare(name, fields);
    }

    /// All types declared so far.
    CelTypeProvider declared() {
        return new Declared(ImmutableMap.copyOf(structs));
    }

    private record Declared(ImmutableMap<String, StructType> structs) implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableList.copyOf(structs.values());
        }

        @Override
        public Optional<CelType> findType(String name) {
            return Optional.ofNullable(structs.get(name));
        }
    }
}
