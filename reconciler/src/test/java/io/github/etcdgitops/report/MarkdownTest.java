package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MarkdownTest {
    private static FleetPlan fleet(String hostile) {
        var ring = ClusterPlan.rejected(
                new ClusterRef("demo", "orders"),
                List.of(new Finding(Finding.Level.ERROR, FindingCode.DOCUMENT_REJECTED, hostile)));
        var violation = Violation.of("syntax", new Location(hostile, 1, 1, ""), hostile, hostile);
        return new FleetPlan("production", "sha256:0123456789abcdef", hostile, List.of(ring), List.of(violation));
    }

    static Stream<String> hostile() {
        return Stream.of(
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "</sub></td></table><h1>x",
                "<!-- hidden -->",
                "![x](https://evil.example/x.png)",
                "[click](https://evil.example)",
                "[click][1]\n\n[1]: https://evil.example",
                "https://evil.example/autolink",
                "www.evil.example",
                "@everyone",
                "@octo/team please",
                "closes #1",
                "see !2, %3, ~bug, $4 and &5",
                "a | b | c",
                "line\n# heading",
                "line\r\n- item",
                "```\nfence\n```",
                "`code` **bold** __bold__ ~~gone~~",
                "$$\\frac{1}{2}$$",
                "&lt;script&gt;",
                "back\\slash\\|pipe",
                "\u001b[31mred\u0007",
                "right\u202Eto left",
                "zero\u200Bwidth",
                "x\"] --> y[\"z",
                "%%{init: {'theme': 'forest'}}%%",
                "click s0 href \"https://evil.example\"",
                "x<br/><img src=https://evil.example/x>",
                "#quot;] #59; end");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void hostileTextIsInert(String hostile) {
        String page = Markdown.fleet(fleet(hostile), "")
                + Markdown.cluster(fleet(hostile).clusters().getFirst());

        // What stands in a code span is inert there; a span ends at the first backtick.
        assertThat(page.replaceAll("(?<!\\\\)`[^`\n]*`", "code").replaceAll("\\\\.", ""))
                .doesNotContain("<script", "<img", "</td", "<h1", "<!--", "](https", "@everyone", "@octo", "www.evil")
                .doesNotContain("https://evil", "\u001b", "\u0007", "\r", "\u202E", "\n# heading", "\n- item")
                .doesNotContain("closes #1", " **bold", "\u200B", "`");
        assertThat(page.lines().filter(l -> l.startsWith("| [demo")))
                .singleElement()
                .satisfies(row -> assertThat(row.replace("\\\\", "")
                                .replace("\\|", "")
                                .chars()
                                .filter(c -> c == '|')
                                .count())
                        .isEqualTo(9));
    }

    /// Of the labels of a drawing nothing is left but letters, blanks and numbers of characters.
    @ParameterizedTest
    @MethodSource("hostile")
    void hostileTextIsALabelAlone(String hostile) {
        assertThat(Mermaid.label(hostile)).matches("([A-Za-z0-9 .-]|#[0-9]+;)*");
    }

    /// Blocks, cells and spans are the same whatever the texts are, as a reader of Markdown sees them.
    @ParameterizedTest
    @MethodSource("hostile")
    void hostileTextChangesNothingOfThePage(String hostile) {
        assertThat(structure(hostile)).isEqualTo(structure("plain"));
    }

    private static List<String> structure(String text) {
        var extensions = List.of(TablesExtension.create(), AutolinkExtension.create(), StrikethroughExtension.create());
        String page = Markdown.fleet(fleet(text), "")
                + Markdown.cluster(fleet(text).clusters().getFirst());
        String html = HtmlRenderer.builder()
                .extensions(extensions)
                .build()
                .render(Parser.builder().extensions(extensions).build().parse(page));
        return Pattern.compile("<[^>]*>")
                .matcher(html)
                .results()
                .map(MatchResult::group)
                // A word that a forge would link is a span.
                .filter(tag -> !tag.matches("</?code>"))
                .toList();
    }

    @Test
    void rendersSamePlanToSameBytes() {
        assertThat(Markdown.fleet(fleet("x"), "")).isEqualTo(Markdown.fleet(fleet("x"), ""));
        assertThat(PlanJson.render(fleet("x"))).isEqualTo(PlanJson.render(fleet("x")));
    }

    @Test
    void noToleranceIsBold() {
        assertThat(Markdown.tolerance(new io.github.etcdgitops.state.health.Quorum(2, 2)))
                .isEqualTo("**0**");
        assertThat(Markdown.tolerance(new io.github.etcdgitops.state.health.Quorum(3, 3)))
                .isEqualTo("1");
        assertThat(Markdown.tolerance(new io.github.etcdgitops.state.health.Quorum(0, 0)))
                .isEqualTo("–");
    }

    /// As forges make them from headings: lower case, without punctuation, numbered where two are alike.
    private static List<String> anchors(String page) {
        var times = new TreeMap<String, Integer>();
        return page.lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                .map(slug -> times.merge(slug, 1, Integer::sum) == 1 ? slug : slug + "-" + (times.get(slug) - 1))
                .toList();
    }

    @Test
    void everyLinkLeadsToHeadingOfItsRing() {
        var rings = Stream.of("demo/orders", "demoo/rders", "a-b/c", "a/b-c", "ab/c", "a/bc")
                .map(name -> name.split("/"))
                .map(name -> ClusterPlan.rejected(new ClusterRef(name[0], name[1]), List.of()))
                .toList();

        String page = Markdown.whole(new FleetPlan("production", "sha256:0123456789abcdef", "x", rings, List.of()));

        var targets = Pattern.compile("\\]\\(#([^)]*)\\)")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(targets).hasSameSizeAs(rings).doesNotHaveDuplicates();
        assertThat(anchors(page)).containsAll(targets);
    }
}
