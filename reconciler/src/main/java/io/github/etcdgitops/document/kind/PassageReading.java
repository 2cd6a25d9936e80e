package io.github.etcdgitops.document.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.git.history.Reading;
import io.github.etcdgitops.spec.Passage;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds a passage in a file at any time. Documents that cannot be distinguished all count as one: whoever
/// adds a second one of the same name counts as the author of both.
public record PassageReading(Passage passage) implements Reading {
    @Override
    public Optional<Object> in(byte[] content) {
        var file = YamlDocuments.read(passage.file(), content);
        boolean legible = file.legible()
                && file.documents().stream()
                        .allMatch(document -> document.violations().isEmpty());
        return legible ? values(ofKind(file).filter(this::isNamed).toList()) : Optional.of(ILLEGIBLE);
    }

    /// If a file has a single document, now and before, it is the same document under another name.
    @Override
    public Optional<Object> instead(byte[] now, byte[] before) {
        var former = documents(before);
        return passage.sinceItsBeginning()
                        && former.size() == 1
                        && documents(now).size() == 1
                ? values(former)
                : Optional.empty();
    }

    private List<YamlDocument> documents(byte[] content) {
        return ofKind(YamlDocuments.read(passage.file(), content)).toList();
    }

    private Stream<YamlDocument> ofKind(YamlDocuments.YamlFile file) {
        return file.documents().stream().filter(document -> has(document, Optional.of(passage.kind()), "kind"));
    }

    private Optional<Object> values(List<YamlDocument> documents) {
        return documents.isEmpty()
                ? Optional.empty()
                : Optional.of(documents.stream().map(this::value).toList());
    }

    private boolean isNamed(YamlDocument document) {
        return has(document, Optional.of(passage.name()).filter(name -> !name.isEmpty()), "metadata", "name")
                && has(document, passage.namespace(), "metadata", "namespace")
                && has(document, passage.by(), "spec", "approvedBy");
    }

    private static boolean has(YamlDocument document, Optional<String> wanted, String... path) {
        return wanted.isEmpty() || document.text(path).equals(wanted);
    }

    private JsonNode value(YamlDocument document) {
        var node = Optional.of(document.root());
        for (String segment : passage.path()) {
            node = node.flatMap(parent -> below(parent, segment));
        }
        return node.map(YamlNode::toJson).orElse(MissingNode.getInstance());
    }

    /// An item of a list is found by its name: its index changes with the items before it. All of the same
    /// name count as one.
    private static Optional<YamlNode> below(YamlNode parent, String segment) {
        if (!(parent instanceof YamlNode.Sequence(int line, int column, var items))) {
            return parent.find(List.of(segment));
        }
        var named = items.stream().filter(item -> isNamed(item, segment)).toList();
        return named.isEmpty() ? Optional.empty() : Optional.of(new YamlNode.Sequence(line, column, named));
    }

    private static boolean isNamed(YamlNode item, String name) {
        return item.find(List.of("name"))
                .filter(value ->
                        value instanceof YamlNode.Scalar scalar && scalar.text().equals(name))
                .isPresent();
    }

    @Override
    public boolean isNothing(Object meaning) {
        return meaning instanceof List<?> documents
                && documents.stream().allMatch(value -> ((JsonNode) value).isMissingNode());
    }

    @Override
    public boolean isMadeOf(Object merged, List<Object> sides) {
        if (merged.equals(ILLEGIBLE) || sides.contains(ILLEGIBLE)) {
            return false;
        }
        var documents = (List<?>) merged;
        return sides.stream().allMatch(side -> ((List<?>) side).size() == documents.size())
                && IntStream.range(0, documents.size())
                        .allMatch(i -> comesFrom(
                                (JsonNode) documents.get(i),
                                sides.stream()
                                        .map(side -> (JsonNode) ((List<?>) side).get(i))
                                        .toList()));
    }

    /// Field by field; a list comes from one side completely, or from neither.
    private static boolean comesFrom(JsonNode merged, List<JsonNode> sides) {
        if (sides.contains(merged)) {
            return true;
        }
        if (!merged.isObject() || !sides.stream().allMatch(JsonNode::isObject)) {
            return false;
        }
        var fields = new TreeSet<String>();
        merged.fieldNames().forEachRemaining(fields::add);
        sides.forEach(side -> side.fieldNames().forEachRemaining(fields::add));
        return fields.stream()
                .allMatch(field -> comesFrom(
                        merged.path(field),
                        sides.stream().map(side -> side.path(field)).toList()));
    }
}
