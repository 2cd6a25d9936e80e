package io.github.etcdgitops.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.github.etcdgitops.inert.LineFilter;
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
import java.util.stream.Stream;

/// The whole report on one page, for a browser: it loads nothing, is readable without scripts, and what names
/// and messages hold stays text. A policy in its head lets the browser run our one script and nothing else.
///
/// `seen` is when the plan was made: unlike the plan itself the page says who led then, and when certificates
/// end and backups were taken. `last` is what the last run did that did something, in the order in which it
/// began.
public record FleetPage(FleetPlan plan, FindingAges sightings, RunHistory history, List<DoneStep> last, Instant seen) {
    private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(ContentType.Html);

    /// So many findings are listed; each ring shows its own in any case.
    private static final int LISTED = 200;

    public FleetPage {
        last = List.copyOf(last);
    }

    /// A page of a plan alone.
    public static FleetPage of(FleetPlan plan, Instant seen) {
        return new FleetPage(plan, FindingAges.NONE, RunHistory.NONE, List.of(), seen);
    }

    public String html() {
        var out = new StringOutput();
        TEMPLATES.render("fleet.jte", this, new InertHtml(out));
        return LineFilter.block(out.toString());
    }

    /// What stops changes, and what cannot be taken back.
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

    /// How many rings there are of each kind, without those that there are none of.
    public List<Count> counts() {
        return Arrays.stream(Situation.values())
                .map(s -> new Count(s.title(), s.wire(), plan.count(s)))
                .filter(c -> c.number() > 0)
                .toList();
    }

    /// `style` is the class that colours it.
    public record Count(String title, String style, long number) {}

    /// Those that need somebody first.
    public List<RingView> rings() {
        return plan.clusters().stream()
                .sorted(Comparator.comparing(ClusterPlan::situation).thenComparing(ClusterPlan::ref))
                .map(c -> RingView.of(c, plan.factsOf(c.ref()), sightings, plan.tempo()))
                .toList();
    }

    /// What nobody has mended for longest, and then what nobody knows the age of. Notes are none of it.
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

    /// Whether any ring was looked at: otherwise there is no column for what shows by looking.
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

    /// The two parts that are written as they are: their bytes are what the content policy names.
    public String style() {
        return "<style>" + Stylesheet.STYLE + "</style>";
    }

    public String script() {
        return "<script>" + Search.SCRIPT + "</script>";
    }
}
