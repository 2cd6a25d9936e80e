package io.github.etcdgitops.document.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/// The text of one schema violation. `rule` is the broken part of the schema, `path` its location;
/// `advised` says whether to look for a suggestion.
record SchemaWords(YamlDocument document, DocumentKind kind, JsonNode rule, List<String> path, boolean advised) {
    private static final int LISTED = 20;

    Violation unknownField(String field) {
        var at = document.atKey(below(field));
        String message = path.isEmpty()
                ? "A document has no field " + Shown.quoted(field) + "."
                : "`" + Shown.path(path) + "` has no field " + Shown.quoted(field) + ".";
        var known = new ArrayList<String>();
        rule.path("properties").fieldNames().forEachRemaining(known::add);
        var nearest = Suggestion.nearest(field, known);
        if (nearest.isPresent()) {
            return Violation.of("unknown-field", at, message, "Did you mean `" + nearest.get() + "`?");
        }
        var elsewhere = placeOf(field, schema().path("properties"), new ArrayList<>());
        if (elsewhere.isPresent()) {
            return Violation.of("unknown-field", at, message, "It belongs at `" + elsewhere.get() + "`.");
        }
        String here = "Fields here: " + listed(known) + ".";
        return mayBeSecret(field)
                ? Violation.of(
                        "unknown-field",
                        new Location(at.file(), at.line(), at.column(), Shown.pointer(path)),
                        "`" + Shown.path(path) + "` has a field that is not shown here.",
                        here)
                : Violation.of("unknown-field", at, message, here);
    }

    /// `password: {abc}` is an object with the key `abc`, which has no value.
    private boolean mayBeSecret(String field) {
        return !Shown.mayShow(path)
                && document.root()
                        .find(below(field))
                        .filter(YamlNode::isNothing)
                        .isPresent();
    }

    Violation missingField(String field) {
        var at = path.isEmpty() ? document.at(path) : document.atKey(path);
        var place = new Location(at.file(), at.line(), at.column(), Shown.pointer(below(field)));
        var wanted = deref(rule.path("properties").path(field));
        return Violation.of(
                "missing-field",
                place,
                "`" + Shown.path(below(field)) + "` is missing; expected " + expectation(wanted) + ".",
                example(wanted)
                        .map(e -> "For example `" + field + ": " + e + "`.")
                        .orElse("Add the field."));
    }

    Violation wrongType() {
        var found = document.root().find(path).orElse(document.root());
        boolean nothing =
                found instanceof YamlNode.Scalar scalar && scalar.value().isNull();
        String message = nothing
                ? "`" + Shown.path(path) + "` has no value; expected " + expectation(rule) + "."
                : found(found) + "; expected " + expectation(rule) + ".";
        return of("wrong-type", message, typeHint(found, nothing));
    }

    private Optional<String> typeHint(YamlNode found, boolean nothing) {
        if (nothing) {
            return Optional.of("Write a value, or leave the field out.");
        }
        if (rule.path("type").asText().equals("array")) {
            return Optional.of("Write one item per line, each after `- `.");
        }
        return remedy(found);
    }

    Violation unknownValue() {
        var found = document.root().find(path).orElse(document.root());
        var allowed = new ArrayList<String>();
        rule.path("enum").forEach(value -> allowed.add(value.asText()));
        if (rule.has("const")) {
            allowed.add(rule.path("const").asText());
        }
        var nearest = found instanceof YamlNode.Scalar scalar
                ? Suggestion.nearest(scalar.text(), allowed)
                : Optional.<String>empty();
        return of(
                "unknown-value",
                found(found) + "; expected " + (rule.has("const") ? listed(allowed) : expectation(rule)) + ".",
                nearest.map(n -> "Did you mean `" + n + "`?"));
    }

    Violation badFormat() {
        var found = document.root().find(path).orElse(document.root());
        return of("bad-format", found(found) + "; expected " + expectation(rule) + ".", remedy(found));
    }

    private Optional<String> remedy(YamlNode found) {
        var instead = advised && found instanceof YamlNode.Scalar scalar
                ? new Remedy(document, kind, rule, path).insteadOf(scalar)
                : Optional.<String>empty();
        return instead.or(() -> example(rule).map(e -> "For example `" + e + "`."));
    }

    /// A key of a map whose keys must match a pattern, such as labels.
    Violation badKey(String key) {
        var names = deref(rule.path("propertyNames"));
        String expected = expectation(names.isMissingNode() ? rule : names);
        return Violation.of(
                "bad-key",
                document.atKey(below(key)),
                "The key " + Shown.quoted(key) + " in `" + Shown.path(path) + "` has the wrong form; expected "
                        + expected + ".");
    }

    Violation duplicateItem() {
        return of(
                "duplicate-item",
                "`" + Shown.path(path) + "` names the same item twice; expected each once.",
                Optional.of("Remove the repetition."));
    }

    Violation outOfRange(String keyword) {
        var found = document.root().find(path).orElse(document.root());
        String limit = rule.path(keyword).asText();
        String expected = switch (keyword) {
            case "minimum" -> within(limit, "not below ");
            case "maximum" -> within(limit, "not above ");
            case "minLength" -> limit.equals("1") ? "some text" : "at least " + limit + " characters";
            case "maxLength" -> "at most " + limit + " characters";
            case "minItems" -> limit.equals("1") ? "at least one item" : "at least " + limit + " items";
            case "maxItems" -> "at most " + limit + " items";
            case "minProperties", "maxProperties" -> properties(keyword, limit);
            default -> expectation(rule);
        };
        return of("out-of-range", found(found) + "; expected " + expected + ".", Optional.empty());
    }

    /// How many keys; where they are known, one of which.
    private String properties(String keyword, String limit) {
        var known = new ArrayList<String>();
        rule.path("properties").fieldNames().forEachRemaining(known::add);
        if (known.isEmpty()) {
            return (keyword.equals("minProperties") ? "at least " : "at most ") + limit + " keys";
        }
        return (rule.path("maxProperties").asInt() == 1 ? "exactly one of " : "at least one of ") + listed(known);
    }

    private Violation of(String code, String message, Optional<String> hint) {
        return new Violation(code, document.at(path), message, hint);
    }

    private String found(YamlNode found) {
        return "`" + Shown.path(path) + "` is " + found.shown(path);
    }

    private String within(String limit, String bound) {
        String expected = expectation(rule);
        return expected.contains(limit) ? expected : expected + ", " + bound + limit;
    }

    private static String expectation(JsonNode rule) {
        String title = rule.path("title").asText("another value");
        return rule.has("properties") ? "an object (" + title + ")" : title;
    }

    private JsonNode deref(JsonNode rule) {
        String ref = rule.path("$ref").asText();
        return ref.startsWith("#/") ? schema().at(ref.substring(1)) : rule;
    }

    private static Optional<String> example(JsonNode rule) {
        var examples = rule.path("examples");
        return examples.isEmpty()
                ? Optional.empty()
                : Optional.of(examples.path(0).toString());
    }

    private JsonNode schema() {
        return Schemas.of(kind).getSchemaNode();
    }

    private List<String> below(String key) {
        var below = new ArrayList<>(path);
        below.add(key);
        return below;
    }

    /// Where a field of this name would belong; empty when there are several such places, or none.
    private Optional<String> placeOf(String field, JsonNode properties, List<String> at) {
        var places = new ArrayList<String>();
        properties.properties().forEach(property -> {
            at.add(property.getKey());
            if (property.getKey().equals(field)) {
                places.add(Shown.path(at));
            }
            placeOf(field, deref(property.getValue()).path("properties"), at).ifPresent(places::add);
            at.removeLast();
        });
        return places.size() == 1 ? Optional.of(places.getFirst()) : Optional.empty();
    }

    private static String listed(List<String> words) {
        var joiner = new StringJoiner(", ");
        words.stream().limit(LISTED).forEach(joiner::add);
        return words.size() > LISTED ? joiner + " and more" : joiner.toString();
    }
}
