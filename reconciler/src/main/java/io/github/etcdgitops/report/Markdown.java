package io.github.etcdgitops.report;

import static io.github.etcdgitops.report.MarkdownText.code;
import static io.github.etcdgitops.report.MarkdownText.line;
import static io.github.etcdgitops.report.MarkdownText.text;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.health.Quorum;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The plan as Markdown for a forge: a table of the fleet, and a page per ring. Its only times are the ages
/// of findings: the same plan gives the same bytes.
public final class Markdown {
    private Markdown() {}

    /// The fleet table. `base` is the prefix of links to the rings' pages.
    public static String fleet(FleetPlan plan, String base) {
        return fleet(plan, base, FindingAges.NONE, RunHistory.NONE);
    }

    /// Only the fleet table, without links: the rings have no pages.
    public static String table(FleetPlan plan) {
        return fleet(plan, MarkdownText::text, FindingAges.NONE, RunHistory.NONE);
    }

    /// The fleet table with every ring's page below it.
    public static String whole(FleetPlan plan) {
        var page = new StringBuilder();
        whole(plan, page::append);
        return page.toString();
    }

    /// The same in pieces: the table, and one for each ring.
    public static void whole(FleetPlan plan, Consumer<String> to) {
        var anchors = MarkdownText.anchors(
                plan.clusters().stream().map(ClusterPlan::ref).toList());
        var links = new TreeMap<String, String>();
        anchors.forEach((ref, anchor) -> links.put(ref.toString(), "[" + text(ref.toString()) + "](#" + anchor + ")"));
        to.accept(fleet(plan, ring -> links.getOrDefault(ring, text(ring)), FindingAges.NONE, RunHistory.NONE));
        plan.clusters().forEach(c -> to.accept("\n" + cluster(c, FindingAges.NONE, plan.tempo())));
    }

    /// With the oldest findings, and the last runs that did or refused something.
    public static String fleet(FleetPlan plan, String base, FindingAges sightings, RunHistory history) {
        return fleet(plan, ring -> "[" + text(ring) + "](" + base + ring + ".md)", sightings, history);
    }

    private static String fleet(FleetPlan plan, UnaryOperator<String> link, FindingAges sightings, RunHistory history) {
        var page = new StringBuilder();
        page.append("# etcd rings of `").append(code(plan.environment())).append("`\n\n");
        page.append("**").append(text(plan.summary())).append("** · plan `").append(PlanJson.hash(plan), 0, 19);
        page.append("`\n\n");
        var banners = Banners.of(plan);
        page.append(banners.stream().map(line -> "> **" + text(line) + "**\n").collect(Collectors.joining(">\n")));
        page.append(banners.isEmpty() ? "" : "\n");
        page.append("| Ring | Situation | Next | Highest risk | Voters | Tolerance before → worst → after | Takes |"
                + " Rules |\n");
        page.append("|---|---|---|---|---|---|---|---|\n");
        plan.clusters().forEach(c -> page.append(row(c, plan.tempo(), link)));
        FleetSections.oldest(sightings, page);
        rest(plan.findings(), page);
        violations(plan, page);
        FleetSections.runs(history, page);
        page.append("\n<sub>Made from documents `").append(Words.digest(plan.specDigest()));
        page.append("` by ").append(text(plan.tool())).append(".</sub>\n");
        return page.toString();
    }

    private static String row(ClusterPlan plan, Tempo tempo, UnaryOperator<String> link) {
        var next = plan.operations().stream().findFirst();
        return "| " + link.apply(plan.ref().toString()) + " | "
                + plan.situation().title() + " | "
                + next.map(o -> text(o.operation().summary()) + more(plan)).orElseGet(() -> reason(plan)) + " | "
                + plan.highestRisk().map(Object::toString).orElse("") + " | "
                + Words.voters(plan.quorum()) + " | "
                + tolerances(plan) + " | "
                + next.map(_ -> Words.range(tempo.of(plan.operations()))).orElse("") + " | "
                + plan.strictest().map(verdict -> text(Words.verdict(verdict))).orElse("") + " |\n";
    }

    private static String tolerances(ClusterPlan plan) {
        return plan.operations().isEmpty()
                ? tolerance(plan.quorum())
                : tolerance(plan.operations().getFirst().before()) + " → " + tolerance(plan.worst()) + " → "
                        + tolerance(plan.operations().getLast().after());
    }

    private static String more(ClusterPlan plan) {
        int more = plan.operations().size() - 1;
        return more == 0 ? "" : " (and " + more + " more)";
    }

    private static String reason(ClusterPlan plan) {
        return plan.waiting().stream()
                .findFirst()
                .map(w -> text(w.what() + ": " + w.reason()))
                .or(() -> plan.findings().stream().findFirst().map(f -> text(f.message())))
                .orElse("");
    }

    private static void rest(List<Finding> findings, StringBuilder page) {
        if (!findings.isEmpty()) {
            page.append("\n## Fleet-wide findings\n\n");
            findings.forEach(f -> page.append("- %s\n".formatted(line(f))));
        }
    }

    private static void violations(FleetPlan plan, StringBuilder page) {
        if (plan.violations().isEmpty()) {
            return;
        }
        page.append("\n## Invalid documents\n\n| Where | What |\n|---|---|\n");
        plan.violations()
                .forEach(v -> page.append("| `%s` | %s%s |\n"
                        .formatted(
                                code(v.at().toString()),
                                text(v.message()),
                                v.hint().map(h -> " — " + text(h)).orElse(""))));
    }

    /// A ring's own page.
    public static String cluster(ClusterPlan plan) {
        return cluster(plan, FindingAges.NONE);
    }

    /// With the ages of its findings.
    public static String cluster(ClusterPlan plan, FindingAges sightings) {
        return cluster(plan, sightings, Tempo.NONE);
    }

    /// Also with how long steps take in this fleet.
    public static String cluster(ClusterPlan plan, FindingAges sightings, Tempo tempo) {
        var page = new StringBuilder();
        page.append("# %s\n\n**%s** · voters %s · tolerance %s\n"
                .formatted(
                        text(plan.ref().toString()),
                        plan.situation().title(),
                        Words.voters(plan.quorum()),
                        tolerance(plan.quorum())));
        if (plan.changes()) {
            page.append("\nIn total ").append(text(Words.inAll(plan, tempo))).append(".\n");
        }
        if (!plan.findings().isEmpty()) {
            page.append("\n## Findings\n\n");
            plan.findings()
                    .forEach(f -> page.append("- %s%s\n"
                            .formatted(
                                    line(f),
                                    sightings
                                            .since(plan.ref(), f)
                                            .map(since -> " (since " + Words.minute(since) + ")")
                                            .orElse(""))));
        }
        plan.operations().forEach(o -> operation(o, tempo, page));
        if (!plan.waiting().isEmpty()) {
            page.append("\n## Waiting\n\n");
            plan.waiting().forEach(w -> page.append("- %s — %s\n".formatted(text(w.what()), text(w.reason()))));
        }
        return page.toString();
    }

    private static void operation(PlannedOperation planned, Tempo tempo, StringBuilder page) {
        var operation = planned.operation();
        page.append("""

            ## %s: %s

            `%s` · risk %s · %s · because %s

            Takes %s. Clients notice: %s.

            """.formatted(
                        operation.kind(),
                        text(operation.summary()),
                        operation.id(),
                        operation.risk(),
                        text(Words.verdict(planned.verdict())),
                        text(operation.reason()),
                        Words.range(tempo.of(List.of(planned))),
                        text(planned.forClients())));
        operation
                .resolved()
                .carried()
                .line()
                .ifPresent(line -> page.append("With ").append(text(line)).append("\n\n"));
        steps(planned.steps(), page);
        page.append(Mermaid.quorum(planned.steps()));
    }

    private static void steps(List<PlannedStep> steps, StringBuilder page) {
        page.append(
                "| # | Step | Voters | Quorum | Tolerance before → during → after | Elections | Undo | Waits for |\n");
        page.append("|---|---|---|---|---|---|---|---|\n");
        int number = 0;
        for (PlannedStep step : steps) {
            number++;
            page.append("| %s | %s | %s → %s | %s → %s | %s → %s → %s | %s | %s | %s |\n"
                    .formatted(
                            number,
                            text(step.texts().action()),
                            step.before().voters().size(),
                            step.after().voters().size(),
                            Words.needed(step.before().quorum()),
                            Words.needed(step.after().quorum()),
                            tolerance(step.before().quorum()),
                            tolerance(step.during()),
                            tolerance(step.after().quorum()),
                            step.texts().elections(),
                            text(step.texts().undo()),
                            step.texts().waitsFor()));
        }
    }

    /// Tolerance 0 is bold: one more failure and writes stop.
    static String tolerance(Quorum quorum) {
        String plain = Words.tolerance(quorum);
        return Words.bare(quorum) ? "**" + plain + "**" : plain;
    }
}
