package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// One document of a file, with its YAML errors. `root` is what could be read, perhaps not everything:
/// enough to know which ring a broken document is about.
public record YamlDocument(String file, YamlNode root, List<Violation> violations) {
    private static final Set<String> BROKEN_OFF = Set.of("syntax-error", "merge-conflict", "nesting-too-deep");

    public YamlDocument {
        violations = List.copyOf(violations);
    }

    /// False when reading stopped early: then a missing value means nothing.
    public boolean whole() {
        return violations.stream().map(Violation::code).noneMatch(BROKEN_OFF::contains);
    }

    /// The location of the value; for a missing one, that of the nearest existing parent.
    public Location at(List<String> path) {
        var pointer = Shown.pointer(path);
        YamlNode node = root;
        int line = node.line();
        int column = node.column();
        for (String segment : path) {
            var below = node.find(List.of(segment));
            if (below.isEmpty()) {
                break;
            }
            // An empty value has no location of its own, and for an object inside a field the field's key
            // is the best location.
            var key = key(node, segment);
            node = below.get();
            boolean byKey = key.isPresent() && (node.isNothing() || !(node instanceof YamlNode.Scalar));
            line = byKey ? key.get().line() : node.line();
            column = byKey ? key.get().column() : node.column();
        }
        return new Location(file, line, column, pointer);
    }

    /// The location of the key.
    public Location atKey(List<String> path) {
        if (path.isEmpty()) {
            return at(path);
        }
        return root.find(path.subList(0, path.size() - 1))
                .flatMap(parent -> key(parent, path.getLast()))
                .map(key -> new Location(file, key.line(), key.column(), Shown.pointer(path)))
                .orElseGet(() -> at(path));
    }

    private static Optional<YamlNode.Field> key(YamlNode node, String segment) {
        return node instanceof YamlNode.Mapping(int _, int _, var fields)
                ? Optional.ofNullable(fields.get(segment))
                : Optional.empty();
    }

    public Optional<YamlNode> find(String... path) {
        return root.find(List.of(path));
    }

    public boolean has(String... path) {
        return find(path).isPresent();
    }

    /// The text at the path; empty for a number, a boolean or anything else.
    public Optional<String> text(String... path) {
        return find(path)
                .flatMap(node ->
                        node instanceof YamlNode.Scalar scalar && scalar.value().isTextual()
                                ? Optional.of(scalar.text())
                                : Optional.empty());
    }

    /// A whole number that fits.
    public Optional<Long> number(String... path) {
        return find(path)
                .flatMap(node -> node instanceof YamlNode.Scalar scalar
                                && scalar.value().isIntegralNumber()
                                && scalar.value().canConvertToLong()
                        ? Optional.of(scalar.value().longValue())
                        : Optional.empty());
    }

    /// The items of a list; empty where there is no list.
    public List<YamlNode> items(String... path) {
        return find(path)
                .map(node -> node instanceof YamlNode.Sequence(int _, int _, var items) ? items : List.<YamlNode>of())
                .orElse(List.of());
    }

    /// The texts of a list, without other items.
    public List<String> texts(String... path) {
        return items(path).stream()
                .flatMap(item ->
                        item instanceof YamlNode.Scalar scalar && scalar.value().isTextual()
                                ? Stream.of(scalar.text())
                                : Stream.<String>empty())
                .toList();
    }

    /// The keys of an object; empty where there is no object.
    public List<String> keys(String... path) {
        return find(path)
                .map(node -> node instanceof YamlNode.Mapping(int _, int _, var fields)
                        ? List.copyOf(fields.keySet())
                        : List.<String>of())
                .orElse(List.of());
    }
}
