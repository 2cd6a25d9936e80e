package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.ObservedMembers;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.FindingAges;
import io.github.etcdgitops.report.Words;
import io.github.etcdgitops.report.table.AuthText;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One ring, in the page's words and numbers.
public record RingView(
        ClusterPlan plan, Optional<ObservedMembers> observed, Kept kept, List<FindingView> findings, Tempo tempo) {
    public RingView {
        findings = List.copyOf(findings);
    }

    /// Its certificates, backup, drill and users, as text; empty where there is nothing to say.
    public record Kept(String certificates, String backup, String drill, String users) {}

    static RingView of(ClusterPlan plan, RingFacts facts, FindingAges sightings, Tempo tempo) {
        var needs = facts.needs().orElse(BackupNeeds.NONE);
        var kept = new Kept(
                facts.certificates()
                        .map(c -> "until " + LocalDate.ofInstant(c.first(), ZoneOffset.UTC))
                        .orElse(""),
                backup(needs),
                drill(needs),
                facts.observed()
                        .flatMap(ObservedMembers::users)
                        .map(AuthText::line)
                        .orElse(""));
        var findings = plan.findings().stream()
                .map(f -> FindingView.of(plan.ref().toString(), f, sightings.since(plan.ref(), f)))
                .toList();
        return new RingView(plan, facts.observed(), kept, findings, tempo);
    }

    private static String backup(BackupNeeds needs) {
        if (needs.policies().isEmpty()) {
            return "";
        }
        if (needs.policies().stream().anyMatch(p -> !p.stored().isKnown())) {
            return "unknown: a place could not be read";
        }
        return backups(needs)
                .filter(StoredBackup::verified)
                .max(StoredBackup.BY_TIME)
                .map(b -> Words.minute(b.taken()))
                .orElse("none yet");
    }

    private static String drill(BackupNeeds needs) {
        return backups(needs)
                .flatMap(b -> b.drills().stream())
                .max(Comparator.comparing(StoredBackup.Drill::at))
                .map(d -> (d.passed() ? "passed " : "failed ") + Words.minute(d.at()))
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
        return plan.situation().wire();
    }

    /// The text that the search uses.
    public String words() {
        return id() + " " + situation() + " " + seenVersions();
    }

    public boolean quiet() {
        return plan.operations().isEmpty()
                && plan.waiting().isEmpty()
                && plan.findings().stream().noneMatch(FindingView::isTrouble);
    }

    public String members() {
        var learners = plan.quorum().voters() == 0
                ? 0L
                : observed.map(s -> s.members().stream()
                                .filter(ObservedMembers.Member::learner)
                                .count())
                        .orElse(0L);
        return Words.voters(plan.quorum()) + (learners == 0 ? "" : " + " + learners + " learning");
    }

    public String tolerance() {
        return Words.tolerance(plan.quorum());
    }

    public boolean bare() {
        return Words.bare(plan.quorum());
    }

    /// "No leader" is shown only where members were asked and none of them leads.
    public String leader() {
        if (observed.isEmpty()) {
            return unseen();
        }
        return observed.flatMap(s -> s.members().stream()
                        .filter(ObservedMembers.Member::leads)
                        .findFirst())
                .map(ObservedMembers.Member::name)
                .orElse(plan.quorum().voters() == 0 ? "–" : "none");
    }

    private String unseen() {
        return plan.quorum().voters() == 0 ? "–" : "unknown";
    }

    public String versions() {
        String versions = seenVersions();
        return versions.isEmpty() ? unseen() : versions;
    }

    private String seenVersions() {
        return String.join(
                ", ",
                observed.stream()
                        .flatMap(s -> s.members().stream())
                        .flatMap(m -> m.version().stream())
                        .distinct()
                        .sorted()
                        .toList());
    }

    public List<OperationView> operations() {
        return plan.operations().stream()
                .map(planned -> new OperationView(planned, tempo))
                .toList();
    }

    public Optional<RingDrawing> drawing() {
        return observed.filter(s -> !s.members().isEmpty()).map(RingDrawing::of);
    }

    /// Its next operation, or what blocks it.
    public Next next() {
        return plan.operations().stream()
                .findFirst()
                .map(o -> new Next(o.operation().summary(), more(), obstacle()))
                .or(() -> plan.waiting().stream().findFirst().map(w -> new Next(w.what(), "", w.reason())))
                .or(() -> plan.findings().stream()
                        .filter(FindingView::isTrouble)
                        .findFirst()
                        .map(f -> new Next("", "", f.message())))
                .orElse(new Next("", "", ""));
    }

    /// `why` says why not yet; empty where nothing blocks it.
    public record Next(String what, String more, String why) {}

    private String more() {
        int more = plan.operations().size() - 1;
        return more == 0 ? "" : "and " + more + " more";
    }

    private String obstacle() {
        return plan.strictest()
                .filter(verdict -> !(verdict instanceof Verdict.Allow))
                .map(Words::verdict)
                .orElse("");
    }

    /// All its planned operations, in one line; empty where there are none.
    public String inAll() {
        return plan.changes() ? Words.inAll(plan, tempo) : "";
    }

    /// The rows of the table with the drawing's facts.
    public List<MemberView> memberRows() {
        return observed.map(ObservedMembers::members).orElse(List.of()).stream()
                .map(m -> new MemberView(
                        m.name().isEmpty() ? "(not started)" : m.name(),
                        m.id(),
                        RingDrawing.role(m),
                        m.version().orElse("–"),
                        m.dbSize().map(Words::size).orElse("–")))
                .toList();
    }

    public record MemberView(String name, String id, String role, String version, String size) {}
}
