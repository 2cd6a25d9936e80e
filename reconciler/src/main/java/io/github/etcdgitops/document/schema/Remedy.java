package io.github.etcdgitops.document.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.etcdgitops.document.field.ByteFields;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.document.kind.KindChecks;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.PlainScalar;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What to write instead of a scalar that a schema refuses. Each suggestion has been tried against the
/// schema rule and the checks of the whole document: advice that is then also refused is worse than none.
record Remedy(YamlDocument document, DocumentKind kind, JsonNode rule, List<String> path) {
    private static final Pattern BARE = Pattern.compile("[0-9]{1,12}([.][0-9]{1,6})?");
    private static final Pattern SIZE =
            Pattern.compile("([0-9]{1,12}(?:[.][0-9]{1,6})?) ?([kmgtpe])i?(?:b|bytes)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern TIME = Pattern.compile(
            "([0-9]{1,9}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OTHER_NUMBER =
            Pattern.compile("[0-9][0-9_]{0,17}([.][0-9]{0,9})?([eE][-+]?[0-9]{1,2})?");
    private static final List<String> UNITS = List.of("s", "m", "h", "d", "Mi", "Gi");
    private static final int DAYS_OF_A_WEEK = 7;

    /// Empty where no other form is valid.
    Optional<String> insteadOf(YamlNode.Scalar found) {
        String text = found.text();
        if (!Shown.mayShow(path)) {
            return quoted(found).map(_ -> "Put it in quotes.");
        }
        return quoted(found)
                .map(_ -> "Put it in quotes: \"" + Shown.plain(text) + "\".")
                .or(() -> unquoted(found))
                .or(() -> withUnit(text))
                .or(() -> otherNumber(text))
                .or(() -> truth(text))
                .or(() -> size(text))
                .or(() -> time(text))
                .or(() -> otherSpelling(text))
                .or(() -> version(text))
                .or(() -> startingWithLetter(text));
    }

    private Optional<String> quoted(YamlNode.Scalar found) {
        boolean already = found.value().isTextual();
        return already || !accepted(TextNode.valueOf(found.text())) ? Optional.empty() : Optional.of(found.text());
    }

    private Optional<String> unquoted(YamlNode.Scalar found) {
        return found.value().isTextual()
                        && PlainScalar.of(found.text()) instanceof PlainScalar.Value(var json)
                        && !json.isTextual()
                        && accepted(json)
                ? Optional.of("Write it without quotes.")
                : Optional.empty();
    }

    private Optional<String> withUnit(String text) {
        return BARE.matcher(text).matches()
                ? either(UNITS.stream().map(unit -> text + unit)).map(units -> "The unit is missing: " + units + ".")
                : Optional.empty();
    }

    private Optional<String> otherNumber(String text) {
        if (!OTHER_NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(text.replace("_", ""));
        if (number.stripTrailingZeros().scale() > 0
                || number.precision() - number.scale() > PlainScalar.LONGEST_NUMBER) {
            return Optional.empty();
        }
        long whole = number.longValueExact();
        return accepted(PlainScalar.integer(whole)) ? Optional.of("Write " + whole + ".") : Optional.empty();
    }

    private Optional<String> truth(String text) {
        boolean known = PlainScalar.BOOLEANS_OF_1_1.contains(text);
        boolean yes = List.of("y", "yes", "on").contains(text.toLowerCase(Locale.ROOT));
        return known && accepted(BooleanNode.valueOf(yes)) ? Optional.of("Write " + yes + ".") : Optional.empty();
    }

    private Optional<String> size(String text) {
        var match = SIZE.matcher(text.strip());
        if (!match.matches()) {
            return Optional.empty();
        }
        String unit = match.group(2).toUpperCase(Locale.ROOT);
        return either(Stream.of(match.group(1) + unit + "i", match.group(1) + (unit.equals("K") ? "k" : unit)))
                .map(sizes -> "Write " + sizes + ": units are Ki, Mi, Gi and Ti (powers of 1024), or k, M, G and T.");
    }

    private Optional<String> time(String text) {
        var match = TIME.matcher(text.strip());
        if (!match.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(match.group(1));
        String unit = match.group(2).substring(0, 1).toLowerCase(Locale.ROOT);
        return either(Stream.of(unit.equals("w") ? number * DAYS_OF_A_WEEK + "d" : number + unit))
                .map(time -> "Write " + time + ".");
    }

    private Optional<String> otherSpelling(String text) {
        if (!text.equals(text.strip()) && accepted(TextNode.valueOf(text.strip()))) {
            return Optional.of("Remove the space or line break at the start or end of the text.");
        }
        return Stream.of(
                        text.toLowerCase(Locale.ROOT),
                        text.replace('_', '-'),
                        text.toLowerCase(Locale.ROOT).replace('_', '-'))
                .filter(other -> !other.equals(text) && accepted(TextNode.valueOf(other)))
                .findFirst()
                .map(other -> "Write \"" + Shown.plain(other) + "\".");
    }

    private Optional<String> version(String text) {
        if (!path.getLast().equals("version")) {
            return Optional.empty();
        }
        if (text.startsWith("v") && accepted(TextNode.valueOf(text.substring(1)))) {
            return Optional.of("Write it without the v: \"" + Shown.plain(text.substring(1)) + "\".");
        }
        return text.matches("[0-9]{1,4}([.][0-9]{1,4})?")
                ? Optional.of("Name all three numbers, as in \"3.5.16\".")
                : Optional.empty();
    }

    private Optional<String> startingWithLetter(String text) {
        boolean other = text.matches("[-0-9].*") && accepted(TextNode.valueOf("a" + text));
        return other ? Optional.of("It must begin with a letter.") : Optional.empty();
    }

    /// The valid texts, as a choice.
    private Optional<String> either(Stream<String> texts) {
        var fitting = texts.filter(text -> accepted(TextNode.valueOf(text))).toList();
        if (fitting.size() < 2) {
            return fitting.stream().findFirst();
        }
        return Optional.of(String.join(", ", fitting.subList(0, fitting.size() - 1)) + " or " + fitting.getLast());
    }

    private boolean accepted(JsonNode value) {
        if (!Schemas.accepts(rule, ByteFields.takes(rule) ? ByteFields.asNumber(value) : value)) {
            return false;
        }
        var node = new YamlNode.Scalar(1, 1, value, value.asText());
        var changed = new YamlDocument(document.file(), with(document.root(), path, node), List.of());
        var findings = new Findings(changed);
        KindChecks.check(ByteFields.asNumbers(changed, kind), kind, findings);
        return findings.noneAt(path);
    }

    private static YamlNode with(YamlNode root, List<String> path, YamlNode value) {
        if (path.isEmpty()) {
            return value;
        }
        var rest = path.subList(1, path.size());
        return switch (root) {
            case YamlNode.Mapping(int line, int column, var fields) -> {
                var all = new LinkedHashMap<>(fields);
                all.computeIfPresent(
                        path.getFirst(),
                        (_, field) ->
                                new YamlNode.Field(field.line(), field.column(), with(field.value(), rest, value)));
                yield new YamlNode.Mapping(line, column, all);
            }
            case YamlNode.Sequence(int line, int column, var items) -> {
                var all = new ArrayList<>(items);
                int index = Integer.parseInt(path.getFirst());
                all.set(index, with(items.get(index), rest, value));
                yield new YamlNode.Sequence(line, column, all);
            }
            case YamlNode.Scalar scalar -> scalar;
        };
    }
}
