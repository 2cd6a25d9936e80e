package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.BackupNeeds;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Sight;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.Sightings;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.state.StoredBackup;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One ring, in the words and numbers of the page.
public record RingView(ClusterPlan plan, Optional<Sight> sight, Kept kept, List<FindingView> findings) {
    public RingView {
        findings = List.copyOf(findings);
    }

    /// What is kept for it, in words; empty where there is nothing to say.
    public record Kept(String certificates, String backup, String drill) {}

    /// `since` is empty where nobody knows.
    public record FindingView(String level, String code, String message, String since) {}

    static RingView of(ClusterPlan plan, FleetPlan.Beside beside, Sightings sightings) {
        var certificates = Optional.ofNullable(beside.certificates().get(plan.ref()));
        var needs = beside.needs().getOrDefault(plan.ref(), BackupNeeds.NONE);
        var kept = new Kept(
                certificates.map(c -> "until " + Times.day(c.first())).orElse(""), backup(needs), drill(needs));
        var findings = plan.findings().stream()
                .map(f -> new FindingView(
                        PlanJson.lower(f.level()),
                        f.code(),
                        f.message(),
                        sightings.since(plan.ref(), f).map(Times::minute).orElse("")))
                .toList();
        return new RingView(plan, Optional.ofNullable(beside.sights().get(plan.ref())), kept, findings);
    }

    private static String backup(BackupNeeds needs) {
        if (needs.policies().isEmpty()) {
            return "";
        }
        if (needs.policies().stream().anyMatch(p -> p.stored().optional().isEmpty())) {
            return "unknown: a place could not be read";
        }
        return backups(needs)
                .filter(StoredBackup::verified)
                .max(StoredBackup.BY_TIME)
                .map(b -> Times.minute(b.taken()))
                .orElse("none yet");
    }

    private static String drill(BackupNeeds needs) {
        return backups(needs)
                .flatMap(b -> b.drills().stream())
                .max(Comparator.comparing(StoredBackup.Drill::at))
                .map(d -> (d.passed() ? "passed " : "failed ") + Times.minute(d.at()))
                .orElse("");
    }

    private static Stream<StoredBackup> backups(BackupNeeds needs) {
        return needs.policies().stream()
                .flatMap(p -> p.stored().optional().stream())
                .flatMap(stored -> stored.backups().stream());
    }

    public String id() {
        return plan.ref().toString();
    }

    /// Names of rings and namespaces have no dots.
    public String anchor() {
        return "ring-" + plan.ref().namespace() + "." + plan.ref().name();
    }

    public String situation() {
        return plan.situation().title();
    }

    public String style() {
        return PlanJson.lower(plan.situation());
    }

    /// What the search looks through.
    public String words() {
        return id() + " " + situation() + " " + versions();
    }

    public boolean quiet() {
        return plan.operations().isEmpty()
                && plan.waiting().isEmpty()
                && plan.findings().stream().allMatch(f -> f.level() == Finding.Level.NOTE);
    }

    public String members() {
        var learners = plan.quorum().voters() == 0
                ? 0L
                : sight.map(s -> s.members().stream()
                                .filter(Sight.Member::learner)
                                .count())
                        .orElse(0L);
        return voters(plan.quorum()) + (learners == 0 ? "" : " + " + learners + " learning");
    }

    public String tolerance() {
        return plan.quorum().voters() == 0 ? "–" : String.valueOf(plan.quorum().tolerance());
    }

    public boolean bare() {
        return plan.quorum().voters() > 0 && plan.quorum().tolerance() <= 0;
    }

    public String leader() {
        return sight.flatMap(
                        s -> s.members().stream().filter(Sight.Member::leads).findFirst())
                .map(Sight.Member::name)
                .orElse(plan.quorum().voters() == 0 ? "–" : "none");
    }

    public String versions() {
        return String.join(
                ", ",
                sight.stream()
                        .flatMap(s -> s.members().stream())
                        .flatMap(m -> m.version().stream())
                        .distinct()
                        .sorted()
                        .toList());
    }

    public List<OperationView> operations() {
        return plan.operations().stream().map(OperationView::new).toList();
    }

    public Optional<RingDrawing> drawing() {
        return sight.filter(s -> !s.members().isEmpty()).map(RingDrawing::of);
    }

    /// What happens to it next, or what is in the way.
    public Next next() {
        return plan.operations().stream()
                .findFirst()
                .map(o -> new Next(o.operation().summary(), more(), verdict(o)))
                .or(() -> plan.waiting().stream().findFirst().map(w -> new Next(w.what(), "", w.reason())))
                .or(() -> plan.findings().stream()
                        .filter(f -> f.level() != Finding.Level.NOTE)
                        .findFirst()
                        .map(f -> new Next("", "", f.message())))
                .orElse(new Next("", "", ""));
    }

    /// `why` says why not yet; empty where nothing is in the way.
    public record Next(String what, String more, String why) {}

    private String more() {
        int more = plan.operations().size() - 1;
        return more == 0 ? "" : "and " + more + " more";
    }

    private static String verdict(PlannedOperation planned) {
        return planned.verdict() instanceof Verdict.Allow ? "" : Verdicts.words(planned.verdict());
    }

    static String voters(Quorum quorum) {
        return quorum.voters() == 0 ? "–" : quorum.healthy() + "/" + quorum.voters();
    }

    static String size(Optional<Long> bytes) {
        return bytes.map(b -> b < 1024 * 1024 ? b / 1024 + " KiB" : b / (1024 * 1024) + " MiB")
                .orElse("–");
    }

    /// The rows of the table that says what the drawing shows.
    public List<MemberView> memberRows() {
        return sight.map(Sight::members).orElse(List.of()).stream()
                .map(m -> new MemberView(
                        m.name().isEmpty() ? "(not started)" : m.name(),
                        m.id(),
                        role(m),
                        m.version().orElse("–"),
                        size(m.dbSize())))
                .toList();
    }

    public record MemberView(String name, String id, String role, String version, String size) {}

    static String role(Sight.Member member) {
        String role = member.learner() ? "learner" : member.leads() ? "leader" : "voter";
        return member.answers() ? role : role + ", does not answer";
    }
}
