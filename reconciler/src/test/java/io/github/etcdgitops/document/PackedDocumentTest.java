package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.yaml.PackedDocument;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackedDocumentTest {
    static Stream<Path> examples() throws IOException {
        try (var files = Files.walk(Path.of(".."), 6)) {
            return files
                    .filter(file -> file.startsWith("../example-repo") || file.startsWith("../policies"))
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void opensAsWhatWasPacked(Path example) throws IOException {
        var documents = YamlDocuments.read(example.toString(), Files.readAllBytes(example))
                .documents();

        assertThat(documents).isNotEmpty().allSatisfy(PackedDocumentTest::assertSurvives);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: -0",
                "a: +3",
                "a: 0.50",
                "a: 9007199254740993",
                "a: 123456789012345678",
                "a: true",
                "a:",
                "[]",
                "a: []",
                "a: {}",
                "- 1\n-\n  - x: [2, {y: z}]",
                "a: \"\\ud83d\"",
                "\"\\ud83d\": {b: 1}",
                "a: \"\\U0001F600 ä\\0\"",
                "'': ''",
                "a: 1\nb: {c: yes}",
                "a: 1\na: 2",
                "a: *b",
                "a: [1, 2",
            })
    void keepsEveryFormOfValue(String yaml) {
        assertThat(read(yaml).documents()).isNotEmpty().allSatisfy(PackedDocumentTest::assertSurvives);
    }

    @Test
    void keepsLinesOfLongFile() {
        String yaml = "\n".repeat(200) + "a:\n" + "  # nothing\n".repeat(20_000) + " ".repeat(300) + "b: 1\n";

        assertThat(read(yaml).documents()).isNotEmpty().allSatisfy(PackedDocumentTest::assertSurvives);
    }

    @Test
    void opensAgainAndAgain() {
        var packed = PackedDocument.of(read("a: [1, 0.5, x]").documents().getFirst());

        assertThat(packed.open()).isEqualTo(packed.open());
    }

    private static void assertSurvives(YamlDocument document) {
        var packed = PackedDocument.of(document);

        assertThat(packed.open()).isEqualTo(document);
        assertThat(packed.file()).isEqualTo(document.file());
    }

    private static YamlDocuments.YamlFile read(String yaml) {
        return YamlDocuments.read("ring.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    }
}
