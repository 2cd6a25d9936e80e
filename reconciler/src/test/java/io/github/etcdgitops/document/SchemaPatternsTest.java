package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The schemas are also used by editors (ECMA-262) and by validators written in Go (RE2).
class SchemaPatternsTest {
    private static final Path SCHEMAS = Path.of("../schemas");

    /// Groups other than `(…)`, the classes of POSIX, and lazy or possessive repetition: not all engines have them, or
    /// mean the same.
    private static final Pattern SPECIAL = Pattern.compile("\\(\\?|\\[\\[:|[*+?}][+?]");

    /// The escapes that mean the same to RE2, ECMA-262 (with and without its `u` flag) and Java.
    private static final Pattern ESCAPE = Pattern.compile("\\\\(x[0-9a-f]{2}|[\\\\\\[\\].*+?^$|(){}/dDwW]|.|$)");

    private static final Pattern COMMON = Pattern.compile("\\\\(x[0-9a-f]{2}|[\\\\\\[\\].*+?^$|(){}/])");

    private static final Pattern COUNT = Pattern.compile("\\{([0-9]+)(,([0-9]*))?}");

    /// What RE2 allows.
    private static final int MOST_REPETITIONS = 1000;

    static Stream<Path> schemas() throws IOException {
        try (var files = Files.list(SCHEMAS)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void compileWithRe2(Path schema) throws IOException {
        assertThat(patterns(schema))
                .isNotEmpty()
                .allSatisfy(pattern -> assertThatCode(() -> com.google.re2j.Pattern.compile(pattern))
                        .as(pattern)
                        .doesNotThrowAnyException());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void useNothingThatRe2AndEcmaScriptDoNotShare(Path schema) throws IOException {
        assertThat(patterns(schema))
                .allSatisfy(pattern -> assertThat(unshared(pattern)).as(pattern).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^(?=.{1,253}$)a$",
                "^(?!x)a$",
                "(?<=x)a",
                "(?i)a",
                "^(?<name>a)\\1$",
                "\\p{Cntrl}",
                "\\Aa\\z",
                "[[:alpha:]]",
                "a++",
                "a{1,1001}",
                "\\u0041",
                "\\x{41}",
                "\\Qa\\E"
            })
    void findsPatternThatDialectsReadDifferently(String pattern) {
        assertThat(unshared(pattern)).isNotEmpty();
    }

    @Test
    void finishesValidationOfVeryLongText() {
        var scheduler = "a.".repeat(100_000) + "!";

        var violations = SpecLoader.load(Trees.of(Map.of(
                        "clusters/a.yaml", Trees.ring("a", "  podTemplate: {schedulerName: " + scheduler + "}\n"))))
                .violations();

        assertThat(violations).extracting(Violation::code).containsExactly("bad-format");
    }

    private static List<String> unshared(String pattern) {
        var found = new ArrayList<String>();
        SPECIAL.matcher(pattern.replace("\\\\", "")).results().forEach(match -> found.add(match.group()));
        ESCAPE.matcher(pattern)
                .results()
                .map(match -> match.group())
                .filter(escape -> !COMMON.matcher(escape).matches())
                .forEach(found::add);
        COUNT.matcher(pattern)
                .results()
                .filter(match -> Stream.of(match.group(1), match.group(3))
                        .anyMatch(n -> n != null && !n.isEmpty() && Integer.parseInt(n) > MOST_REPETITIONS))
                .forEach(match -> found.add(match.group()));
        return found;
    }

    private static List<String> patterns(Path schema) throws IOException {
        var patterns = new ArrayList<String>();
        collect(new ObjectMapper().readTree(schema.toFile()), patterns);
        return patterns;
    }

    private static void collect(JsonNode node, List<String> patterns) {
        node.properties().forEach(property -> {
            if (property.getKey().equals("pattern") && property.getValue().isTextual()) {
                patterns.add(property.getValue().asText());
            }
            if (property.getKey().equals("patternProperties")) {
                property.getValue().fieldNames().forEachRemaining(patterns::add);
            }
        });
        node.forEach(child -> collect(child, patterns));
    }
}
