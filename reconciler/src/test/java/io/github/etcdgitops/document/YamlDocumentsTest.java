package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.yaml.YamlBytes;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlDocumentsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a: 3             | {"a":3}
        a: -0            | {"a":0}
        a: 4294967296    | {"a":4294967296}
        a: 0.5           | {"a":0.5}
        a: 3.5.16        | {"a":"3.5.16"}
        a: true          | {"a":true}
        a: null          | {"a":null}
        a:               | {"a":null}
        a: 10.0.0.1      | {"a":"10.0.0.1"}
        a: 500m          | {"a":"500m"}
        a: "no"          | {"a":"no"}
        a: "017"         | {"a":"017"}
        a: north         | {"a":"north"}
        a: 1.2.3.4-5     | {"a":"1.2.3.4-5"}
        a: 0a1b2c3d4e5f  | {"a":"0a1b2c3d4e5f"}
        """)
    void readsScalarsAsYaml12AndYaml11BothDo(String yaml, String json) {
        var file = read(yaml.replace("'", ""));

        assertThat(all(file)).isEmpty();
        assertThat(file.documents().getFirst().root().toJson()).hasToString(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "y",
                "N",
                "Yes",
                "OFF",
                "017",
                "-017",
                "09",
                "00",
                "0x1F",
                "0o17",
                "0b1",
                "1_000",
                "1__0.5",
                "12:30",
                "1e3",
                "-1.5E+3",
                "2026-11-21",
                "2026-11-21 10:00:00",
                "~",
                "Null",
                ".inf",
                "-.INF",
                ".NaN",
                "=",
                "3.10",
                "1.0",
                "5.",
                "1234567890123456789"
            })
    void refusesPlainScalarsThatToolsReadDifferently(String scalar) {
        var file = read("a: " + scalar);

        assertThat(all(file))
                .hasSize(1)
                .allMatch(v -> v.code().equals("ambiguous-scalar") || v.code().equals("unquoted-version"))
                .allMatch(v -> v.at().line() == 1 && v.at().column() == 4);
    }

    @Test
    void countsColumnsInCharactersAndNotInUnits() {
        var file = read("{\"\uD83D\uDE00\": 1, a: no}");

        assertThat(all(file))
                .singleElement()
                .satisfies(v -> assertThat(v.at().column()).isEqualTo(13));
    }

    @Test
    void keepsDocumentsOfOneFileApart() {
        var file = read("---\na: 1\n---\n---\nb: *x\n---\nc: [\n");

        assertThat(file.documents()).hasSize(3);
        assertThat(file.documents().getFirst().violations()).isEmpty();
        assertThat(file.documents().get(1).violations())
                .singleElement()
                .satisfies(v -> assertThat(v.code()).isEqualTo("alias"));
        assertThat(file.documents().get(2).whole()).isFalse();
    }

    @Test
    void refusesFilesAboveTheLimitWithoutParsingThem() {
        var bytes = new byte[YamlBytes.LIMIT + 1];

        assertThat(YamlDocuments.read("f", bytes).violations())
                .singleElement()
                .satisfies(v -> assertThat(v.code()).isEqualTo("file-too-large"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "[", "{", "- ", "? ", "a: ", "'", "!", "&", "1", "a.", "\n", "#", "[a, ", "{a: "})
    @Timeout(5)
    void spendsNoSecondsOnALargestFileOfOneThing(String part) {
        String text = part.repeat(YamlBytes.LIMIT / part.length());

        var file = read(text);

        assertThat(file.documents().size() + file.violations().size()).isPositive();
    }

    @Test
    @Timeout(5)
    void spendsNoSecondsOnAHugeScalar() {
        var file = read("a: \"" + "x ".repeat(YamlBytes.LIMIT / 2 - 10) + "\"");

        assertThat(all(file)).isEmpty();
    }

    @Test
    void acceptsFiftyLevelsAndNotOneMore() {
        assertThat(all(read("[".repeat(50) + "]".repeat(50)))).isEmpty();
        assertThat(all(read("[".repeat(51) + "]".repeat(51))))
                .singleElement()
                .satisfies(v -> assertThat(v.code()).isEqualTo("nesting-too-deep"));
    }

    @Test
    void survivesEveryPrefixOfADocument() {
        String text = Trees.ring("orders", "  image: {digest: 'x'}\n  # é\n").replace("demo", "\"demo\"");
        var bytes = text.getBytes(StandardCharsets.UTF_8);

        for (int length = 0; length < bytes.length; length++) {
            var file = YamlDocuments.read("f", Arrays.copyOf(bytes, length));

            assertThat(file.documents().size() + file.violations().size()).isPositive();
        }
    }

    private static YamlDocuments.YamlFile read(String text) {
        return YamlDocuments.read("f", text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Violation> all(YamlDocuments.YamlFile file) {
        return Stream.concat(
                        file.violations().stream(), file.documents().stream().flatMap(d -> d.violations().stream()))
                .toList();
    }
}
