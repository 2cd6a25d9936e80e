package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommentBodyTest {
    private static final Optional<String> URL = Optional.of("https://ci.example/runs/1");
    private static final String MARKER = "<!-- etcd-gitops review: production -->";

    private static String lines(int number, String line) {
        return IntStream.range(0, number).mapToObj(i -> line + i).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String body(String text, int longest) {
        return CommentBody.of("production", text, longest, URL);
    }

    @Test
    void showsFittingTextWholeBelowMarker() {
        assertThat(CommentBody.of("production", "# Rings\n\nwell\n\n", 1000, Optional.empty()))
                .isEqualTo(MARKER + "\n# Rings\n\nwell\n");
        assertThat(body("# Rings\n", 1000))
                .isEqualTo(MARKER + "\n# Rings\n\n\n---\nReport: <https://ci.example/runs/1>\n");
    }

    @Test
    void isCutBeforeAHeading() {
        String text = "# Rings\n" + lines(10, "table ") + "# demo/orders\n" + lines(10, "step ") + "# demo/carts\n"
                + lines(100, "step ");

        String body = body(text, 500);

        assertThat(body)
                .startsWith(MARKER + "\n# Rings\n")
                .contains("# demo/orders\n", "step 9\n\n\n---\n")
                .doesNotContain("carts")
                .endsWith("Too long for a comment: 101 lines are left out. Full text: <https://ci.example/runs/1>\n");
    }

    @Test
    void cutsTooLongFirstSectionBetweenLines() {
        String body = body("# Rings\n" + lines(1000, "| ring | "), 600);

        assertThat(body).hasSizeLessThanOrEqualTo(600).hasSizeGreaterThan(560);
        assertThat(body.lines().filter(line -> line.startsWith("| ring | ")).count())
                .isEqualTo(1000 - left(body));
    }

    private static int left(String body) {
        return Integer.parseInt(body.replaceAll("(?s).*comment: (\\d+) lines.*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```\n%s```\n",
                "~~~~ yaml\n```\n%s~~~~\n",
                "<details><summary>steps</summary>\n\n%s</details>\n",
                "<details>\n<DETAILS>\n</details>\n%s</details>\n",
                "<!--\n%s-->\n"
            })
    void leavesNoMarkupOpen(String frame) {
        String text = "# Rings\n\nfirst\n" + frame.formatted(lines(200, "# no heading ")) + "last\n";

        for (int longest = 300; longest < 3_000; longest += 50) {
            assertThat(body(text, longest))
                    .as("%s characters", longest)
                    .hasSizeLessThanOrEqualTo(longest)
                    .contains("first\n")
                    .doesNotContain("no heading", "```", "~~~~", "etails>", "last");
        }
    }

    @Test
    void headingsInAFenceAreNone() {
        String text = "# Rings\n```\n" + lines(20, "# ") + "```\n# demo/orders\n" + lines(500, "step ");

        assertThat(body(text, 500)).contains("# 19\n```\n").doesNotContain("orders");
    }

    @Test
    void inlineCodeOpensNoFence() {
        String text = "``` in a line ```\n" + lines(500, "step ");

        assertThat(body(text, 500)).contains("step 9\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"production", "etcd-gitops", "eu-1/production", "a b.c_d"})
    void acceptsPlainContext(String context) {
        assertThat(CommentBody.acceptable(context)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--", "a--b", "a-->", "a\nb", "-a", "a-", "a ", "<b>", "ä"})
    void contextCannotEndMarker(String context) {
        assertThat(CommentBody.acceptable(context)).isFalse();
        assertThatThrownBy(() -> CommentBody.marker(context)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void quotesTextOfStrangerAsPlainText() {
        String hostile = "@everyone\n```\n# approved\n````\n<!-- etcd-gitops review: production -->\na\u202Eb\u0007c\n";

        String body = CommentBody.quoted("fork", hostile, 1000, URL);

        assertThat(body)
                .startsWith("<!-- etcd-gitops review: fork -->\nThis text comes from a check")
                .contains("\n`````text\n@everyone\n", "\na\\u202eb\\u0007c\n`````\n")
                .endsWith("Report: <https://ci.example/runs/1>\n");
    }

    @Test
    void cutsLongQuoteAndClosesItsFence() {
        String body = CommentBody.quoted("fork", lines(1000, "line "), 700, Optional.empty());

        assertThat(body).hasSizeLessThanOrEqualTo(700).contains("\n```\n---\nToo long for a comment: ");
    }
}
