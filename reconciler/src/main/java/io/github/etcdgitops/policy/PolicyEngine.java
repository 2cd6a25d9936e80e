package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ManualDrift;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.ApprovalCommand;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.DrillBackup;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The rules: `admit` checks a spec alone, `gate` each planned operation. Both run again right before an
/// operation starts.
public record PolicyEngine(Fleet fleet, Approvals approvals, Rules rules) {
    /// They take nothing away, and each is another operation: they could not be approved in advance.
    static final Set<String> ALWAYS = Set.of(TakeBackup.KIND, DrillBackup.KIND);

    /// For a repository without policies, whose history is not read.
    public PolicyEngine(Fleet fleet, List<Approval> approvals) {
        this(fleet, new Approvals(approvals, ChangeAuthors.NONE), Rules.NONE);
    }

    public static PolicyEngine of(DesiredState desired) {
        var approvals = new Approvals(desired.approvals(), ChangeAuthors.of(desired));
        return new PolicyEngine(desired.fleet(), approvals, Rules.of(desired));
    }

    /// Advice and denials that follow from the spec alone.
    public List<Finding> admit(EtcdClusterSpec spec, Instant now) {
        var judgements = rules.of(spec, now);
        var findings = new ArrayList<>(
                judgements.stream().map(judgement -> judgement.finding(now)).toList());
        boolean judged = judgements.stream().anyMatch(j -> j.rule().equals(RuleKind.ODD_MEMBERS.toString()));
        if (!judged) {
            evenSize(spec.size()).ifPresent(findings::add);
        }
        return findings;
    }

    /// The findings about manual drift that stays.
    public List<Finding> drift(EtcdClusterSpec spec, ClusterState state, Instant now) {
        return rules.of(spec, ManualDrift.of(spec, state).told(), now).stream()
                .map(judgement -> judgement.finding(now))
                .toList();
    }

    /// The findings about exemptions, for all rings.
    public List<Finding> findings(Instant now) {
        return new Exemptions(rules, now).findings();
    }

    private static Optional<Finding> evenSize(int size) {
        return size % 2 != 0
                ? Optional.empty()
                : Optional.of(new Finding(
                        Level.WARNING,
                        FindingCode.ODD_SIZE,
                        "size " + size + " tolerates as many failures as size " + (size - 1) + " ("
                                + new Quorum(size, size).tolerance() + "), and each write needs one more member."
                                + " Use "
                                + (size - 1) + " or " + (size + 1)));
    }

    /// The same with unknown backups.
    public ClusterPlan gate(ClusterPlan plan, Instant now) {
        return gate(plan, BackupStanding.NONE, now);
    }

    /// Operations that change the ring start in their order: once one has to wait, the later ones wait for
    /// it. Operations that only read the ring wait for none of them: an unapproved change must not stop the
    /// backups, nor fill the store. A held operation stays held.
    ///
    /// `backups` is the state of the ring's backups; one that is planned before a change counts as taken.
    public ClusterPlan gate(ClusterPlan plan, BackupStanding backups, Instant now) {
        var ordered = new ArrayList<PlannedOperation>();
        for (var planned : plan.operations()) {
            if (!planned.verdict().lets()) {
                ordered.add(planned);
                continue;
            }
            boolean saved = ordered.stream()
                    .anyMatch(o ->
                            o.operation() instanceof TakeBackup && o.verdict().lets());
            var known = saved ? backups.backedUp(now) : backups;
            ordered.add(planned.with(waitingFor(planned.operation(), ordered)
                    .<Verdict>map(earlier -> new Verdict.Hold("order", "waits for " + title(earlier)))
                    .orElseGet(() -> gate(planned.operation(), known, now))));
        }
        var gated = new ArrayList<PlannedOperation>();
        for (int i = 0; i < ordered.size(); i++) {
            var planned = ordered.get(i);
            boolean forChange = planned.verdict().lets()
                    && planned.operation() instanceof TakeBackup backup
                    && backup.beforeChange();
            var later = ordered.subList(i + 1, ordered.size());
            gated.add(forChange ? planned.with(beforeChange(later, now)) : planned);
        }
        var iterator = gated.iterator();
        return plan.gated(_ -> iterator.next())
                .withFindings(
                        gated.stream().flatMap(o -> words(o, backups, now)).toList());
    }

    private static Optional<Operation> waitingFor(Operation operation, List<PlannedOperation> before) {
        return before.stream()
                .filter(earlier -> operation.changesRing() && !earlier.verdict().lets())
                .map(PlannedOperation::operation)
                .filter(Operation::changesRing)
                .findFirst();
    }

    /// A backup for a change is taken right before it or not at all. While a change waits for days, each
    /// backup would become too old and be taken again, and none of them would be from right before it.
    private Verdict beforeChange(List<PlannedOperation> later, Instant now) {
        var changes = later.stream()
                .filter(o -> o.operation().needsBackup() || rules.asksForBackups(o.operation(), now))
                .toList();
        if (changes.stream().anyMatch(o -> o.verdict().lets())) {
            return new Verdict.Allow();
        }
        return new Verdict.Hold(
                "before-change",
                changes.stream()
                        .findFirst()
                        .map(o -> "is taken directly before " + title(o.operation()) + ", which waits")
                        .orElse("the change that needs it cannot start now"));
    }

    /// Whether enough people have approved the operation at `now`.
    public boolean approved(Operation operation, Instant now) {
        return wanted(operation, now).stream().allMatch(wanted -> approvals.given(operation, wanted, now));
    }

    private List<Approvals.Wanted> wanted(Operation operation, Instant now) {
        var byRules = rules.approvals(operation, now);
        var byFleet = Stream.of(new Approvals.Wanted(1, fleet.approvals().authorMayApprove()));
        return byRules.isEmpty() || needsApproval(operation)
                ? Stream.concat(byRules.stream(), byFleet).toList()
                : byRules;
    }

    /// Who approved the operation, and what to say where the history does not show it.
    private Stream<Finding> words(PlannedOperation planned, BackupStanding backups, Instant now) {
        var operation = planned.operation();
        boolean asked = needsApproval(operation)
                || operation.consent() == Operation.Consent.STANDING
                || rules.of(operation, backups, now).stream().anyMatch(RuleBreach::asksForApproval);
        if (!asked) {
            return Stream.empty();
        }
        var given = approvals.told(operation, wanted(operation, now), now).stream();
        return !planned.verdict().lets()
                ? given
                : Stream.concat(
                        given,
                        wanted(operation, now).stream()
                                .flatMap(wanted -> approvals.doubt(operation, wanted, now).stream())
                                .findFirst()
                                .map(why -> new Finding(
                                        Level.WARNING,
                                        FindingCode.APPROVAL_BY_NAME,
                                        title(operation) + " starts with approvals known only by the name in"
                                                + " approvedBy: "
                                                + why
                                                + ", so it is unknown whether the authors of the change approved it"
                                                + " themselves"))
                                .stream());
    }

    private static String title(Operation operation) {
        return operation.kind() + " " + operation.id();
    }

    private boolean needsApproval(Operation operation) {
        return switch (operation.consent()) {
            case GIVEN, PERMITTED, STANDING -> false;
            case NEEDED -> true;
            case BY_RISK -> operation.risk().compareTo(fleet.approvals().from()) >= 0 || bringsForeignData(operation);
        };
    }

    /// With tenants, the Fleet says whose backups may be restored; other restores are never planned.
    private boolean bringsForeignData(Operation operation) {
        return (fleet.tenants().isEmpty() || fleet.approvals().foreignData())
                && operation instanceof RestoreCluster restore
                && restore.bringsForeignData();
    }

    /// Whether a decision depends on the ring's backups.
    public boolean asksForBackups(Operation operation, Instant now) {
        return rules.asksForBackups(operation, now);
    }

    /// The backup rules that apply to the ring now.
    public List<Rule.BackupFreshness> freshness(EtcdClusterSpec spec, Instant now) {
        return rules.freshness(spec, now);
    }

    /// Whether the operation may start at `now`, with unknown backups.
    public Verdict gate(Operation operation, Instant now) {
        return gate(operation, BackupStanding.NONE, now);
    }

    /// Whether the operation may start at `now`.
    public Verdict gate(Operation operation, BackupStanding backups, Instant now) {
        if (goesAnyhow(operation)) {
            return new Verdict.Allow();
        }
        return verdict(operation, rules.of(operation, backups, now), now);
    }

    static boolean goesAnyhow(Operation operation) {
        return ALWAYS.contains(operation.kind());
    }

    /// The result of the breaches, with the existing approvals.
    Verdict verdict(Operation operation, List<RuleBreach> judgements, Instant now) {
        boolean approved = approved(operation, now);
        var standing = judgements.stream()
                .filter(j -> !(approved && j.asksForApproval()))
                .map(RuleBreach::verdict)
                .toList();
        var asked = judgements.stream().filter(RuleBreach::asksForApproval).toList();
        return worst(standing, Verdict.Deny.class)
                .or(() -> approval(operation, asked, approved, now))
                .or(() -> worst(standing, Verdict.Hold.class))
                .or(() -> worst(standing, Verdict.Warn.class))
                .orElseGet(Verdict.Allow::new);
    }

    private static Optional<Verdict> worst(List<Verdict> verdicts, Class<? extends Verdict> kind) {
        return verdicts.stream().filter(kind::isInstance).findFirst();
    }

    /// An operation that only needs an approval. A rule that holds it anyway is reported first only once it
    /// is approved.
    private Optional<Verdict> approval(Operation operation, List<RuleBreach> asked, boolean approved, Instant now) {
        if (approved || (asked.isEmpty() && !needsApproval(operation))) {
            return Optional.empty();
        }
        return Optional.of(new Verdict.Hold(
                "approval", why(operation, asked, now) + ". To approve: " + ApprovalCommand.of(operation)));
    }

    private String why(Operation operation, List<RuleBreach> asked, Instant now) {
        String needed = operation
                .toBeNamed()
                .map(id -> " that names the cluster ID " + id)
                .orElse("");
        var lacking = wanted(operation, now).stream()
                .filter(w -> !approvals.given(operation, w, now))
                .max(Comparator.comparingInt(Approvals.Wanted::people))
                .orElseThrow();
        var own = approvals.ownWord(operation, lacking, now);
        String by = asked.stream()
                .findFirst()
                .map(judgement -> judgement.rule() + ", " + judgement.source() + ": " + judgement.why())
                .orElseGet(() -> bringsForeignData(operation)
                        ? "it is unknown whether the data comes from a ring in "
                                + operation.ref().namespace()
                        : ApprovalNeed.because(operation, fleet.approvals().from()));
        if (lacking.people() > 1) {
            var given = approvals.people(operation, lacking, now);
            return "approvals of operation " + operation.id() + needed + " by " + lacking.people()
                    + " people are needed (" + by + "), and "
                    + (given.isEmpty()
                            ? "there is none" + (own.isEmpty() ? "" : " that counts")
                            : "only " + String.join(", ", given) + " has given one")
                    + own.map(text -> "; " + text).orElse("");
        }
        return own.map(text -> "an approval of operation " + operation.id() + needed + " by another person is needed ("
                        + by + "): " + text)
                .or(() -> approvals.naming(operation).stream()
                        .findFirst()
                        .map(a -> "the approval " + a.name()
                                + (now.isBefore(a.expires()) ? " is none" + needed : " has expired")))
                .orElseGet(() -> "an approval of operation " + operation.id() + needed + " is needed (" + by + ")");
    }
}
