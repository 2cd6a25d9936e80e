package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All rules of a repository about who may ask for what, which operations need an approval, and whose. Two
/// sets are compared part by part: a part was relaxed if no part of the other set is at least as strict.
public record ApprovalRules(
        Fleet.Approvals fleet, List<Clause> clauses, List<PolicyExemption> exemptions, Fleet.Sharing sharing) {
    /// For a commit that cannot be read: it may have required anything.
    public static final ApprovalRules STRICTEST =
            new ApprovalRules(new Fleet.Approvals(Risk.LOW, false), List.of(), List.of(), Fleet.Sharing.NONE);

    private static final String RULE = RuleKind.DESTRUCTIVE_APPROVAL.toString();
    private static final String NOTHING = "nothing";

    public ApprovalRules {
        clauses = List.copyOf(clauses);
        exemptions = List.copyOf(exemptions);
    }

    /// What one policy requires, for the rings that it selects.
    record Clause(Policy policy, Policy.Clause clause) {
        Rule.DestructiveApproval rule() {
            return (Rule.DestructiveApproval) clause.rule();
        }

        boolean isOf(String policyName) {
            return policy.name().equals(policyName);
        }

        /// Whether it requires at least as much, for at least the same rings, and from no later time on.
        boolean covers(Clause other) {
            var mine = rule();
            var theirs = other.rule();
            return clause.effect().compareTo(other.clause.effect()) <= 0
                    && mine.minRisk().compareTo(theirs.minRisk()) <= 0
                    && mine.operations().containsAll(theirs.operations())
                    && mine.approvers() >= theirs.approvers()
                    && (theirs.authorMayApprove() || !mine.authorMayApprove())
                    && clause.enforceFrom()
                            .map(from -> other.clause
                                    .enforceFrom()
                                    .map(then -> !from.isAfter(then))
                                    .orElse(false))
                            .orElse(true)
                    && Selection.covers(policy.rings(), other.policy.rings());
        }

        String text() {
            var rule = rule();
            return clause.effect() + " from " + rule.minRisk()
                    + (rule.operations().isEmpty() ? "" : " and for " + String.join(", ", rule.operations())) + " by "
                    + rule.approvers()
                    + (rule.authorMayApprove() ? ", authors included" : "")
                    + clause.enforceFrom().map(from -> ", from " + from + " on").orElse("")
                    + ", of " + Selection.text(policy.rings());
        }
    }

    /// The rules of an environment.
    public static ApprovalRules of(DesiredState desired, String environment) {
        var book = desired.decisions().rules();
        return new ApprovalRules(
                desired.fleet().approvals(),
                book.policies().stream()
                        .filter(policy -> policy.rings().environments().isEmpty()
                                || policy.rings().environments().contains(environment))
                        .flatMap(policy -> policy.clauses().stream()
                                .filter(clause -> clause.rule() instanceof Rule.DestructiveApproval)
                                .map(clause -> new Clause(policy, clause)))
                        .toList(),
                book.exemptions().stream()
                        .filter(exemption -> exemption.rules().contains(RULE))
                        .toList(),
                desired.fleet().sharing());
    }

    /// The limits that apply besides those of `desired`, where they allow less. The limits of an unreadable
    /// commit are unknown.
    public Optional<Fleet.Sharing> fence(DesiredState desired) {
        var present = desired.fleet().sharing();
        return equals(STRICTEST) || WidenedTenants.between(sharing, present).isEmpty()
                ? Optional.empty()
                : Optional.of(new Fleet.Sharing(
                        sharing.images(),
                        sharing.tenants().isEmpty() ? present.tenants() : sharing.tenants(),
                        sharing.imagesAt()));
    }

    /// The requirements that `next` relaxes.
    public List<RelaxedRule> relaxedBy(ApprovalRules next, Instant now) {
        var relaxed = new ArrayList<RelaxedRule>();
        if (fleet.from().compareTo(next.fleet.from()) < 0) {
            relaxed.add(new RelaxedRule(
                    "spec.approvals.from",
                    next.fleet.at().from(),
                    fleet.from().toString(),
                    next.fleet.from().toString()));
        }
        if (!fleet.authorMayApprove() && next.fleet.authorMayApprove()) {
            relaxed.add(new RelaxedRule(
                    "spec.approvals.authorMayApprove", next.fleet.at().authorMayApprove(), "false", "true"));
        }
        lostTo(next).forEach(lost -> relaxed.add(relaxed(lost, next)));
        relaxed.addAll(WidenedTenants.between(sharing, next.sharing));
        newTo(next, now)
                .forEach(exemption -> relaxed.add(new RelaxedRule(
                        "exemption " + exemption.name() + " from " + RULE,
                        exemption.source(),
                        exemptions.stream()
                                .filter(former -> former.name().equals(exemption.name()))
                                .map(ApprovalRules::text)
                                .findFirst()
                                .orElse(NOTHING),
                        text(exemption))));
        return List.copyOf(relaxed);
    }

    private RelaxedRule relaxed(Clause lost, ApprovalRules next) {
        var same = next.clauses.stream()
                .filter(clause -> clause.isOf(lost.policy().name()))
                .toList();
        return new RelaxedRule(
                RULE + " of policy " + lost.policy().name(),
                same.stream()
                        .findFirst()
                        .map(clause -> clause.clause().source())
                        .orElseGet(() -> Location.ofFile(lost.policy().source().file())),
                lost.text(),
                same.isEmpty() ? NOTHING : same.stream().map(Clause::text).collect(Collectors.joining("; ")));
    }

    /// Rules that only warn require nothing.
    private Stream<Clause> asking() {
        return clauses.stream().filter(clause -> clause.clause().effect().stops());
    }

    private List<Clause> lostTo(ApprovalRules next) {
        return asking().filter(former -> next.clauses.stream().noneMatch(clause -> clause.covers(former)))
                .toList();
    }

    /// Where no rule applied before, there was nothing to exempt from.
    private List<PolicyExemption> newTo(ApprovalRules next, Instant now) {
        return asking().findAny().isEmpty()
                ? List.of()
                : next.exemptions.stream()
                        .filter(exemption -> !exemption.expiredAt(now))
                        .filter(exemption -> exemptions.stream().noneMatch(former -> includes(former, exemption)))
                        .toList();
    }

    private static boolean includes(PolicyExemption former, PolicyExemption exemption) {
        return former.policies().equals(exemption.policies())
                && former.selector().equals(exemption.selector())
                && former.rings().containsAll(exemption.rings())
                && !exemption.word().expires().isAfter(former.word().expires())
                && !exemption.word().created().isBefore(former.word().created());
    }

    private static String text(PolicyExemption exemption) {
        return Stream.concat(
                                exemption.rings().stream().map(Object::toString),
                                exemption.selector().isEmpty()
                                        ? Stream.<String>empty()
                                        : Stream.of(Selection.text(exemption.selector())))
                        .collect(Collectors.joining(", "))
                + (exemption.policies().isEmpty()
                        ? ""
                        : " from policies "
                                + exemption.policies().stream().sorted().collect(Collectors.joining(", ")))
                + " until " + exemption.word().expires();
    }

    /// The approval that a change of the rules needs: that of an operation of the highest risk in every
    /// ring.
    Approvals.Wanted wanted() {
        return new Approvals.Wanted(
                asking().mapToInt(c -> c.rule().approvers()).max().orElse(1),
                fleet.authorMayApprove() && asking().allMatch(c -> c.rule().authorMayApprove()));
    }

    /// What `present` says, where both its rules, `next`, and these rules apply. It was read within the
    /// limits of both.
    public DesiredState beside(DesiredState present, ApprovalRules next, Instant now) {
        var approvals = new Fleet.Approvals(
                Stream.of(fleet.from(), next.fleet.from()).min(Risk::compareTo).orElseThrow(),
                fleet.authorMayApprove() && next.fleet.authorMayApprove(),
                sharing.tenants().isEmpty(),
                next.fleet.at());
        var book = present.decisions().rules();
        var policies = Stream.concat(
                        book.policies().stream(),
                        lostTo(next).stream()
                                .map(lost -> new Policy(
                                        lost.policy().name(),
                                        lost.policy().rings(),
                                        List.of(lost.clause()),
                                        lost.policy().source())))
                .toList();
        var opened = newTo(next, now);
        var kept = book.exemptions().stream()
                .flatMap(exemption -> opened.contains(exemption) ? held(exemption) : Stream.of(exemption))
                .toList();
        return present.ruledBy(
                approvals,
                new Rulebook(policies, kept, book.unread(), book.documents()),
                present.decisions().ofRules().notices());
    }

    /// What remains of the exemption for other rules, and what it contained before.
    private Stream<PolicyExemption> held(PolicyExemption opened) {
        var others = new HashSet<>(opened.rules());
        others.remove(RULE);
        var before = exemptions.stream()
                .filter(former -> former.name().equals(opened.name()))
                .map(former -> with(former, Set.of(RULE)));
        return others.isEmpty() ? before : Stream.concat(Stream.of(with(opened, others)), before);
    }

    private static PolicyExemption with(PolicyExemption exemption, Set<String> rules) {
        return new PolicyExemption(
                exemption.name(),
                rules,
                exemption.policies(),
                exemption.selector(),
                exemption.rings(),
                exemption.word(),
                exemption.source());
    }
}
