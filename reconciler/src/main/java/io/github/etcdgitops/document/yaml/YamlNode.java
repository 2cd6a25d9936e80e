package io.github.etcdgitops.document.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// A YAML tree in JSON's terms with the location of everything. Lines and columns count from 1.
public sealed interface YamlNode {
    int line();

    int column();

    /// The kind of the node, for people.
    String describe();

    JsonNode toJson();

    /// The fields in the order of the file.
    record Mapping(int line, int column, SequencedMap<String, Field> fields) implements YamlNode {
        @Override
        public String describe() {
            return fields.isEmpty() ? "an empty object" : "an object";
        }

        @Override
        public JsonNode toJson() {
            var object = JsonNodeFactory.instance.objectNode();
            fields.forEach((key, field) -> object.set(key, field.value().toJson()));
            return object;
        }
    }

    /// A value and the location of its key.
    record Field(int line, int column, YamlNode value) {}

    record Sequence(int line, int column, List<YamlNode> items) implements YamlNode {
        @Override
        public String describe() {
            return items.isEmpty() ? "an empty list" : "a list";
        }

        @Override
        public JsonNode toJson() {
            var array = JsonNodeFactory.instance.arrayNode();
            items.forEach(item -> array.add(item.toJson()));
            return array;
        }
    }

    /// `text` is the file's text, before it was read as a number or a boolean.
    record Scalar(int line, int column, JsonNode value, String text) implements YamlNode {
        @Override
        public String describe() {
            return switch (value.getNodeType()) {
                case NULL -> "nothing";
                case NUMBER -> "the number " + Shown.plain(text);
                case BOOLEAN -> "the boolean " + text;
                case STRING -> "the text " + Shown.quoted(text);
                case ARRAY, BINARY, MISSING, OBJECT, POJO ->
                    throw new IllegalStateException("not a scalar: " + value.getNodeType());
            };
        }

        @Override
        public JsonNode toJson() {
            return value;
        }
    }

    static Scalar empty(int line, int column) {
        return new Scalar(line, column, NullNode.getInstance(), "");
    }

    /// The node as a message about this path may show it.
    default String shown(List<String> path) {
        boolean hidden = this instanceof Scalar scalar
                && !isNothing()
                && !(scalar.value().isNumber() ? Shown.mayShowNumber(path) : Shown.mayShow(path));
        return hidden ? "a value that is not shown here" : describe();
    }

    /// Whether a key has no value.
    default boolean isNothing() {
        return this instanceof Scalar scalar && scalar.value().isNull();
    }

    /// The value below, by keys and by indexes written as numbers.
    default Optional<YamlNode> find(List<String> path) {
        YamlNode node = this;
        for (String segment : path) {
            switch (node) {
                case Mapping(int _, int _, Map<String, Field> fields) -> {
                    Field field = fields.get(segment);
                    if (field == null) {
                        return Optional.empty();
                    }
                    node = field.value();
                }
                case Sequence(int _, int _, List<YamlNode> items) -> {
                    int index = index(segment);
                    if (index < 0 || index >= items.size()) {
                        return Optional.empty();
                    }
                    node = items.get(index);
                }
                case Scalar _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(node);
    }

    private static int index(String segment) {
        boolean digits =
                !segment.isEmpty() && segment.length() < 9 && segment.chars().allMatch(Character::isDigit);
        return digits ? Integer.parseInt(segment) : -1;
    }
}
