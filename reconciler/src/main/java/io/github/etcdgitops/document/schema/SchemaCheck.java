package io.github.etcdgitops.document.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.path.NodePath;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks a document against its JSON Schema. The validator finds the errors; the text is ours, from the
/// schema's titles: what was expected, what was found, and what to do.
public final class SchemaCheck {
    /// Keywords that together define the form of a text; the title of the field describes that form once.
    private static final Set<String> FORM = Set.of("pattern", "format", "not");
    private static final Set<String> LENGTH = Set.of("minLength", "maxLength");

    /// Trying suggestions takes time, so not for each of ten thousand errors.
    private static final int ADVISED = 100;

    private SchemaCheck() {}

    /// Every error, once.
    public static List<Violation> check(YamlDocument document, DocumentKind kind) {
        var schema = Schemas.of(kind);
        var errors = schema.validate(document.root().toJson());
        var ofWrongType = places(errors, Set.of("type"));
        var ofWrongForm = places(errors, FORM);
        var violations = new ArrayList<Violation>();
        Set<List<String>> seen = new HashSet<>();
        for (var error : errors) {
            var path = segments(error.getInstanceLocation());
            boolean noise = (!error.getKeyword().equals("type") && ofWrongType.contains(path))
                    || (LENGTH.contains(error.getKeyword()) && ofWrongForm.contains(path));
            if (!noise && seen.add(identity(error, path))) {
                violations.add(violation(document, kind, error, path, violations.size() < ADVISED));
            }
        }
        return violations;
    }

    private static Set<List<String>> places(List<Error> errors, Set<String> keywords) {
        var places = new HashSet<List<String>>();
        for (var error : errors) {
            if (keywords.contains(error.getKeyword())) {
                places.add(segments(error.getInstanceLocation()));
            }
        }
        return places;
    }

    private static List<String> identity(Error error, List<String> path) {
        var identity = new ArrayList<>(path);
        identity.add(FORM.contains(error.getKeyword()) ? "form" : error.getKeyword());
        identity.add(String.valueOf(error.getProperty()));
        return identity;
    }

    private static Violation violation(
            YamlDocument document, DocumentKind kind, Error error, List<String> path, boolean advised) {
        var schema = Schemas.of(kind);
        var words = new SchemaWords(document, kind, rule(schema, error), path, advised);
        return switch (error.getKeyword()) {
            case "additionalProperties" -> words.unknownField(String.valueOf(error.getProperty()));
            case "required" -> words.missingField(String.valueOf(error.getProperty()));
            case "propertyNames" -> words.badKey(String.valueOf(error.getProperty()));
            case "type" -> words.wrongType();
            case "enum", "const" -> words.unknownValue();
            case "pattern", "format", "not" -> words.badFormat();
            case "uniqueItems" -> words.duplicateItem();
            default -> words.outOfRange(error.getKeyword());
        };
    }

    /// The broken part of the schema: the object with the keyword.
    private static JsonNode rule(Schema schema, Error error) {
        var at = segments(error.getSchemaLocation().getFragment());
        JsonNode node = schema.getSchemaNode();
        for (String segment : at.subList(0, Math.max(0, at.size() - 1))) {
            node = node.isArray() ? node.path(Integer.parseInt(segment)) : node.path(segment);
        }
        return node;
    }

    private static List<String> segments(NodePath path) {
        var segments = new ArrayList<String>();
        for (int i = 0; i < path.getNameCount(); i++) {
            segments.add(String.valueOf(path.getElement(i)));
        }
        return segments;
    }
}
