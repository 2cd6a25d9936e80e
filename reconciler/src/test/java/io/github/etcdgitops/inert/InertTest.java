package io.github.etcdgitops.inert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InertTest {
    @ParameterizedTest
    @CsvSource({
        "1b, \\u001b",
        "7, \\u0007",
        "0, \\u0000",
        "8, \\u0008",
        "d, \\r",
        "7f, \\u007f",
        "85, \\u0085",
        "9b, \\u009b",
        "ad, \\u00ad",
        "200b, \\u200b",
        "202e, \\u202e",
        "2066, \\u2066",
        "2028, \\u2028",
        "2029, \\u2029",
        "feff, \\ufeff",
        "fe0f, \\ufe0f",
        "3164, \\u3164",
        "e000, \\ue000",
        "ffff, \\uffff",
        "e0041, \\u{e0041}",
        "e0100, \\u{e0100}",
        "10fffd, \\u{10fffd}"
    })
    void escapesControlCharacters(String hex, String shown) {
        String text = "a" + Character.toString(Integer.parseInt(hex, 16)) + "b";

        assertThat(Inert.line(text)).isEqualTo("a" + shown + "b");
        assertThat(LineFilter.block(text)).isEqualTo("a" + shown + "b");
    }

    /// A piece never ends within a character.
    @Test
    void piecesAreTheSameAsTheWholeText() {
        var parts = List.of(
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
                "plain text",
                "\"",
                "\\",
                "\u007f",
                "\ufe0f",
                "\r",
                "x::y");
        var random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            var whole = new StringBuilder();
            var pieces = new StringBuilder();
            var filter = new LineFilter();
            for (int i = random.nextInt(20); i >= 0; i--) {
                var piece = new StringBuilder();
                for (int part = random.nextInt(4); part > 0; part--) {
                    piece.append(parts.get(random.nextInt(parts.size())));
                }
                whole.append(piece);
                pieces.append(filter.piece(piece.toString()));
            }
            var one = new StringBuilder();
            var slow = new LineFilter();
            whole.toString().codePoints().forEach(c -> slow.pass(c, one));

            assertThat(pieces).hasToString(one.toString());
            assertThat(LineFilter.block(whole.toString())).isEqualTo(one.toString());
        }
    }

    @Test
    void halfASurrogatePairIsShownToo() {
        assertThat(Inert.line("a\ud800b")).isEqualTo("a\\ud800b");
        assertThat(Inert.json("\"a\ud800b\"")).isEqualTo("\"a\\ufffdb\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "naïve → ü 漢字 😀",
                "{\"a\": [1]}",
                "s3://bucket/x",
                "a :: b",
                "# heading",
                "## [link]"
            })
    void keepsHarmlessText(String text) {
        assertThat(Inert.line(text)).isEqualTo(text);
        assertThat(LineFilter.block(text)).isEqualTo(text);
        assertThat(Inert.json(text)).isEqualTo(text);
    }

    @Test
    void onlyABlockHasLines() {
        assertThat(Inert.line("a\nb\tc")).isEqualTo("a\\nb\\tc");
        assertThat(LineFilter.block("a\nb\tc")).isEqualTo("a\nb\tc");
    }

    @ParameterizedTest
    @CsvSource({
        "'::error file=x::y', ':\\:error file=x::y'",
        "'  ::add-mask::x', '  :\\:add-mask::x'",
        "'##[error]x', '##\\[error]x'",
        "'a ##vso[task.setvariable]x', 'a ##vso\\[task.setvariable]x'",
        "'###[error]x', '###\\[error]x'"
    })
    void escapesRunnerCommands(String line, String shown) {
        assertThat(LineFilter.block("first\n" + line)).isEqualTo("first\n" + shown);
        assertThat(LineFilter.block(shown)).isEqualTo(shown);
    }

    @Test
    void jsonParsesToTheSameText() throws JsonProcessingException {
        String text = "a\u001b]8;;x\u0007\u202e\u2028\u0085##[error]\udb40\udc41\n::error::";
        var mapper = new ObjectMapper();

        String json = Inert.json(mapper.writeValueAsString(text));

        assertThat(mapper.readValue(json, String.class)).isEqualTo(text);
        assertThat(LineFilter.block(json)).isEqualTo(json);
    }

    @Test
    void appendedTextNeverEndsLine() {
        var lines = new Lines().append("a\n::error::b").append('\n').end().append(Lines.of("c"));

        assertThat(lines).hasToString("a\\n::error::b\\n\nc\n");
    }

    @Test
    void emphasisIsASequenceOnTheWayOutAlone() {
        String text = Mark.BAD.around("error") + ": \u001b[1mx";

        assertThat(text).doesNotContain("\u001b[31m");
        assertThat(Lines.of(text).toString()).doesNotContain("\u001b");
        assertThat(LineFilter.block(Lines.of(text).toString())).isEqualTo("\u001b[31merror\u001b[0m: \\u001b[1mx\n");
    }

    @Test
    void noTextThatWasWrittenBeforehandHasEmphasis() {
        long marks = java.util.stream.IntStream.rangeClosed(0x100000, 0x10ffff)
                .filter(Mark::is)
                .count();

        assertThat(marks).isEqualTo(Mark.values().length);
        assertThat(Mark.is(0x1b)).isFalse();
    }
}
