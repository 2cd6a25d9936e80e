package io.github.etcdgitops.inert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written in pieces is the same as the whole text at once.
class InertWriterTest {
    private static final String[] PARTS = {
        "#",
        "##",
        "[",
        "vso",
        "a.b-c_",
        ":",
        "::",
        "\n",
        "\t",
        " ",
        "\u001b",
        "\u202e",
        "ü",
        "😀",
        "\ud800",
        "\udc00",
        "plain text",
        "\"",
        "\\",
        "{\"a\": [1, 2]}",
        "\u007f",
        "\ufe0f",
        "\r"
    };

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 5000})
    void writesAnyPiecesAsTheWholeText(int largest) throws IOException {
        var random = new Random(largest);
        for (int round = 0; round < 200; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--) {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            String whole = text.toString();

            assertThat(inPieces(whole, largest, random, InertWriter::json)).isEqualTo(Inert.json(whole));
            assertThat(inPieces(whole, largest, random, InertWriter::block)).isEqualTo(LineFilter.block(whole));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4000, 100_000})
    void writesALongText(int length) throws IOException {
        String whole = "0123456789 ü\n".repeat(length);

        assertThat(inPieces(whole, whole.length(), new Random(1), InertWriter::json))
                .isEqualTo(Inert.json(whole));
    }

    private static String inPieces(String text, int largest, Random random, Function<Writer, InertWriter> form)
            throws IOException {
        var out = new StringWriter();
        try (var writer = form.apply(out)) {
            int at = 0;
            while (at < text.length()) {
                int more = Math.min(text.length() - at, 1 + random.nextInt(largest));
                if (random.nextBoolean()) {
                    writer.write(text, at, more);
                } else {
                    writer.write(text.substring(at, at + more).toCharArray());
                }
                if (random.nextInt(5) == 0) {
                    writer.flush();
                }
                at += more;
            }
        }
        return out.toString();
    }
}
