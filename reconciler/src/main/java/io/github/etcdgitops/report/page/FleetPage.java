package io.github.etcdgitops.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.report.Banners;
import io.github.etcdgitops.report.FindingAges;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RunHistory;
import io.github.etcdgitops.report.Words;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The whole report on one page, for a browser: it loads nothing, is readable without scripts, and text
/// from names and messages stays text. A policy in its head lets the browser run only our single script.
///
/// `seen` is when the plan was made. Unlike the plan itself, the page shows the leader at that time, and
/// when certificates expire and backups were taken. `last` are the steps of the last run that did
/// something, in the order of their start.
public record FleetPage(FleetPlan plan, FindingAges sightings, RunHistory history, List<DoneStep> last, Instant seen) {
    private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(ContentType.Html);

    /// How many findings are listed; each ring shows its own in any case.
    private static final int LISTED = 200;

    public FleetPage {
        last = List.copyOf(last);
    }

    /// A page with only a plan.
    public static FleetPage of(FleetPlan plan, Instant seen) {
        return new FleetPage(plan, FindingAges.NONE, RunHistory.NONE, List.of(), seen);
    }

    public String html() {
        var text = new StringBuilder();
        html(text::append);
        return text.toString();
    }

    /// The same piece by piece.
    public void html(Consumer<String> to) {
        TEMPLATES.render("fleet.jte", this, new InertHtml(new InertPieces(to)));
    }

    /// What stops changes, and what cannot be undone.
    public List<String> banners() {
        return Banners.of(plan);
    }

    public String title() {
        return "etcd rings of " + plan.environment();
    }

    public String hash() {
        return PlanJson.hash(plan).substring(0, 19);
    }

    public String documents() {
        return Words.digest(plan.specDigest());
    }

    public String when() {
        return Words.minute(seen);
    }

    public String contentPolicy() {
        return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + ContentHash.of(Stylesheet.STYLE)
                + "; script-src " + ContentHash.of(Search.SCRIPT);
    }

    /// The number of rings per kind, without zeros.
    public List<Count> counts() {
        return Arrays.stream(Situation.values())
                .map(s -> new Count(s.title(), s.wire(), plan.count(s)))
                .filter(c -> c.number() > 0)
                .toList();
    }

    /// `style` is the CSS class with its colour.
    public record Count(String title, String style, long number) {}

    /// The rings that need attention first.
    public List<RingView> rings() {
        return plan.clusters().stream()
                .sorted(Comparator.comparing(ClusterPlan::situation).thenComparing(ClusterPlan::ref))
                .map(c -> RingView.of(c, plan.factsOf(c.ref()), sightings, plan.tempo()))
                .toList();
    }

    /// The findings that have existed longest, and then those of unknown age. Notes are left out.
    public List<FindingView> findings() {
        var known = sightings.oldestFirst().stream()
                .filter(s -> FindingView.isTrouble(s.finding()))
                .map(s -> FindingView.of(s.ring(), s.finding(), Optional.of(s.since())));
        var others = plan.clusters().stream()
                .flatMap(c -> c.findings().stream()
                        .filter(f -> FindingView.isTrouble(f)
                                && sightings.since(c.ref(), f).isEmpty())
                        .map(f -> FindingView.of(c.ref().toString(), f, Optional.empty())));
        return Stream.concat(known, others).limit(LISTED).toList();
    }

    /// Whether any ring was observed: otherwise the columns for observed values are left out.
    public boolean looked() {
        return plan.beside().rings().values().stream().anyMatch(RingFacts::looked);
    }

    public List<FindingView> general() {
        return plan.findings().stream()
                .map(f -> FindingView.of("", f, Optional.empty()))
                .toList();
    }

    public String ended(RunHistory.Entry run) {
        return Words.minute(run.ended());
    }

    /// The two parts that are written unescaped: the content policy names the hash of their bytes.
    public String style() {
        return "<style>" + Stylesheet.STYLE + "</style>";
    }

    public String script() {
        return "<script>" + Search.SCRIPT + "</script>";
    }
}
