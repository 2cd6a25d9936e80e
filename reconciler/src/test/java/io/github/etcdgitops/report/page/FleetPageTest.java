package io.github.etcdgitops.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.ObservedMembers;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.report.FindingAges;
import io.github.etcdgitops.report.RunHistory;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetPageTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    /// The same text wherever text can come from outside.
    private static String page(String text) {
        var observed = new ObservedMembers(List.of(
                new ObservedMembers.Member(
                        "8e9e05c52164694d", text, false, true, Optional.of(text), Optional.of(20_480L)),
                new ObservedMembers.Member(
                        "8e9e05c52164694e", "orders-1", true, false, Optional.empty(), Optional.empty())));
        var ring = new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.HELD,
                new Quorum(3, 2),
                List.of(),
                List.of(new ClusterPlan.Waiting(text, text)),
                List.of(Finding.ofRule(Finding.Level.WARNING, "members", text)),
                new TreeMap<>());
        var beside = new FleetPlan.Beside(
                new TreeMap<>(Map.of(
                        ORDERS,
                        new RingFacts(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(observed),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))),
                List.of(Finding.ofRule(Finding.Level.NOTE, "of-no-ring", text)));
        var violation = Violation.of("syntax", new Location(text, 1, 1, ""), text, text);
        var plan = new FleetPlan(text, "sha256:0123456789abcdef", text, List.of(ring), List.of(violation), beside);
        var history = new RunHistory(List.of(new RunHistory.Entry(text, NOW, text, text, text)));
        var last = List.of(new DoneStep(NOW, text, text, text, text, text));
        return new FleetPage(plan, FindingAges.of(plan, Optional.empty(), NOW), history, last, NOW).html();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "</td></tr></table></details><h1>x",
                "</title><script>alert(1)</script>",
                "</style><style>body{display:none}",
                "<!-- hidden",
                "-->",
                "\" onclick=\"alert(1)",
                "' onmouseover='alert(1)",
                "\"><svg onload=alert(1)>",
                "<a href=\"javascript:alert(1)\">x</a>",
                "javascript:alert(1)",
                "<base href=https://evil.example>",
                "<meta http-equiv=refresh content=0;url=https://evil.example>",
                "<iframe src=https://evil.example></iframe>",
                "<link rel=stylesheet href=https://evil.example/x.css>",
                "<form action=https://evil.example><button>x</button></form>",
                "&lt;script&gt;",
                "${7*7} $unsafe{x}",
                "<textarea>",
                "<plaintext>",
                "\u202Eright to left",
                "]]><![CDATA[",
            })
    void hostileTextIsTextAlone(String hostile) {
        String plain = page("plain");

        assertThat(tags(page(hostile))).isEqualTo(tags(plain));
    }

    /// Every tag with the names of its attributes: what the browser takes for structure.
    private static List<String> tags(String html) {
        return Pattern.compile("<[!/a-zA-Z](?:\"[^\"]*\"|[^>\"])*>")
                .matcher(html)
                .results()
                .map(tag -> tag.group().replaceAll("=\"[^\"]*\"", "=\"\""))
                .toList();
    }

    @Test
    void allowsOnlyOwnScriptAndStyle() throws NoSuchAlgorithmException {
        String html = page("plain");

        String policy = content(html, "content=\"(default-src[^\"]*)\"");
        assertThat(policy)
                .isEqualTo("default-src 'none'; base-uri 'none'; form-action 'none'; style-src "
                        + hash(content(html, "(?s)<style>(.*?)</style>")) + "; script-src "
                        + hash(content(html, "(?s)<script>(.*?)</script>")));
        assertThat(html).doesNotContain("http://", "https://", " src=", "url(", "@import", "style=", "onclick=");
    }

    private static String content(String html, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(html);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1).replace("&#39;", "'");
    }

    private static String hash(String content) throws NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    @Test
    void showsRingAsDrawingAndText() {
        String html = page("orders-0");

        assertThat(html)
                .contains("<title>orders-0: leader</title>", "<title>orders-1: learner, does not answer</title>")
                .contains("<td>learner, does not answer</td>", "class=\"seat leader\"", "class=\"seat away\"")
                .contains("2/3 + 1 learning", "20 KiB", "id=\"ring-demo.orders\" open");
    }

    /// Instants as text have no order: one of a whole second has no fraction.
    @Test
    void stepsAreInTheOrderInWhichTheyBegan() {
        String run = """
            {"clusters":[
              {"id":"demo/b","steps":[{"began":"2026-01-02T03:04:05.5Z"}]},
              {"id":"demo/a","steps":[{"began":"2026-01-02T03:04:06Z"},{"began":"2026-01-02T03:04:05Z"}]}]}\
            """;

        assertThat(DoneStep.ofRun(Optional.of(run)))
                .extracting(DoneStep::ring)
                .containsExactly("demo/a", "demo/b", "demo/a");
        assertThat(DoneStep.ofRun(Optional.of("{\"clusters\":[{\"steps\":[{\"began\":\"soon\"}]}]}")))
                .isEmpty();
    }

    @Test
    void listsBackupOfUnknownAgeWithoutAge() {
        var ring = ClusterPlan.rejected(
                ORDERS, List.of(new Finding(Finding.Level.ERROR, FindingCode.DOCUMENT_REJECTED, "why")));
        var plan = new FleetPlan("test", "sha256:01", "test", List.of(ring), List.of());

        assertThat(FleetPage.of(plan, NOW).findings())
                .containsExactly(new FindingView("demo/orders", "error", "document-rejected", "why", ""));
    }

    @Test
    void rendersSamePlanToSameBytes() {
        assertThat(page("x")).isEqualTo(page("x"));
    }

    /// Most in sync, some to change, some held: as a browser would get it (`target/pages`).
    @Test
    void showsThousandRingsOnOnePage() throws IOException {
        var worlds = List.of(
                Given.ring("demo", "orders").build(),
                Given.ring("demo", "orders").down(2).build(),
                Given.ring("demo", "orders").members(5).build());
        var plans = new ArrayList<ClusterPlan>();
        var facts = new TreeMap<ClusterRef, RingFacts>();
        for (int i = 0; i < 1_000; i++) {
            int which = i % 20 == 7 ? 1 : i % 10 == 3 ? 2 : 0;
            var world = worlds.get(which);
            var state = Reading.fresh(world, Reading.spec(3));
            var plan = Planner.plan(Reading.spec(3), state, BackupNeeds.NONE, NOW);
            var ref = new ClusterRef("team-%02d".formatted(i % 40), "ring-%04d".formatted(i));
            plans.add(new ClusterPlan(
                    ref,
                    plan.situation(),
                    plan.quorum(),
                    plan.operations(),
                    plan.waiting(),
                    plan.findings(),
                    plan.fingerprint()));
            ObservedMembers.of(state)
                    .ifPresent(observed -> facts.put(
                            ref,
                            new RingFacts(
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.of(observed),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty())));
        }
        var beside = new FleetPlan.Beside(facts, List.of());
        var plan = new FleetPlan("production", "sha256:0123456789abcdef", "test", plans, List.of(), beside);

        String html = FleetPage.of(plan, NOW).html();

        Files.createDirectories(Path.of("target/pages"));
        Files.writeString(Path.of("target/pages/thousand.html"), html);
        assertThat(Pattern.compile("<tr data-ring=").matcher(html).results()).hasSize(1_000);
        assertThat(Pattern.compile("<details class=\"ring\" id=\"([^\"]*)\"")
                        .matcher(html)
                        .results()
                        .map(m -> m.group(1))
                        .distinct())
                .hasSize(1_000);
        assertThat(html.length()).isLessThan(10_000_000);
    }
}
