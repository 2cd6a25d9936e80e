package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ManualDrift;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import io.github.etcdgitops.spec.time.Windows;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ObjectDrift;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Every rule of a repository's policies, evaluated on rings and operations. The same for all callers: a
/// check of documents, a plan, and a run right before it starts an operation.
record Rules(Rulebook book, SortedMap<ClusterRef, EtcdClusterSpec> rings, List<BackupPolicy> backups) {
    static final Rules NONE = new Rules(Rulebook.EMPTY, new TreeMap<>(), List.of());

    Rules {
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        backups = List.copyOf(backups);
    }

    static Rules of(DesiredState desired) {
        return new Rules(
                desired.decisions().rules(),
                desired.rings(),
                desired.protection().policies());
    }

    /// The rules that a ring's document breaks.
    List<RuleBreach> of(EtcdClusterSpec spec, Instant now) {
        var allowance = new Rule.Allowance(rings.size());
        return clauses(Optional.of(spec), spec.ref(), Phase.SPEC)
                .flatMap(asked -> objection(asked.clause().rule(), spec, allowance, now).stream()
                        .map(why -> asked.judge(why, Optional.of(spec), now)))
                .toList();
    }

    /// What blocks an operation: the rules that it breaks itself, and those that its ring's document
    /// breaks. `backups` is the state of its ring's backups.
    List<RuleBreach> of(Operation operation, BackupStanding backups, Instant now) {
        var spec = Optional.ofNullable(rings.get(operation.ref()));
        var judgements = new ArrayList<RuleBreach>();
        boolean change = operation.changesRing() && !operation.endsWhatWasBegun();
        if (change) {
            unread(spec, operation.ref()).ifPresent(judgements::add);
            spec.ifPresent(s -> judgements.addAll(of(s, now)));
            spec.flatMap(s -> OperationRules.objection(ownWindows(s), Proposal.of(operation), now))
                    .ifPresent(why -> judgements.add(new RuleBreach(
                            RuleKind.MAINTENANCE_WINDOW,
                            "maintenance.windows of the ring's document",
                            Effect.HOLD,
                            why)));
        }
        var allowance = new Rule.Allowance(rings.size());
        clauses(spec, operation.ref(), Phase.OPERATION)
                .flatMap(asked -> objection(asked.clause().rule(), operation, backups, allowance, now).stream()
                        .map(why -> asked.judge(why, spec, now)))
                .forEach(judgements::add);
        return judgements;
    }

    /// The answer of each document rule about the ring's document, whether or not it is broken.
    List<Hearing> heard(EtcdClusterSpec spec, Instant now) {
        var allowance = new Rule.Allowance(rings.size());
        return clauses(Optional.of(spec), spec.ref(), Phase.SPEC)
                .map(asked -> asked.heard(
                        objection(asked.clause().rule(), spec, allowance, now),
                        Optional.empty(),
                        Optional.of(spec),
                        now))
                .toList();
    }

    /// The answer of each operation rule about this operation, whether or not it is broken.
    List<Hearing> heard(Operation operation, BackupStanding backups, Instant now) {
        var spec = Optional.ofNullable(rings.get(operation.ref()));
        var allowance = new Rule.Allowance(rings.size());
        return clauses(spec, operation.ref(), Phase.OPERATION)
                .map(asked -> asked.heard(
                        objection(asked.clause().rule(), operation, backups, allowance, now),
                        Optional.of(operation.kind()),
                        spec,
                        now))
                .toList();
    }

    /// The same for an operation of a published plan, except rules that need more than documents and
    /// operations.
    List<Hearing> heard(Proposal proposal, Instant now) {
        var spec = Optional.ofNullable(rings.get(proposal.ref()));
        var allowance = new Rule.Allowance(rings.size());
        return clauses(spec, proposal.ref(), Phase.OPERATION)
                .filter(asked -> !(asked.clause().rule() instanceof Rule.BackupFreshness))
                .map(asked -> asked.heard(
                        objection(asked.clause().rule(), proposal, allowance, now),
                        Optional.of(proposal.kind()),
                        spec,
                        now))
                .toList();
    }

    private Optional<String> objection(Rule rule, EtcdClusterSpec spec, Rule.Allowance allowance, Instant now) {
        return rule instanceof Rule.Validation(var _, var _, var question)
                ? question.objection(new Rule.Facts(document(spec.ref()), Optional.empty(), now, allowance))
                : SpecRules.objection(rule, spec, document(spec.ref()), backups, now);
    }

    private Optional<String> objection(
            Rule rule, Operation operation, BackupStanding backups, Rule.Allowance allowance, Instant now) {
        return rule instanceof Rule.BackupFreshness fresh
                ? new FreshBackups(fresh, backups, now).objection(operation)
                : objection(rule, Proposal.of(operation), allowance, now);
    }

    /// Expressions are evaluated for everything except operations that only read the ring.
    private Optional<String> objection(Rule rule, Proposal operation, Rule.Allowance allowance, Instant now) {
        if (!(rule instanceof Rule.Validation(var _, var _, var question))) {
            return OperationRules.objection(rule, operation, now);
        }
        return operation.changesRing()
                ? question.objection(new Rule.Facts(
                        document(operation.ref()), Optional.of(OperationFacts.of(operation)), now, allowance))
                : Optional.empty();
    }

    /// Empty for a ring without a document: an expression that uses any of it then gives an objection.
    private Map<String, Object> document(ClusterRef ref) {
        return book.documents().getOrDefault(ref, Map.of());
    }

    /// The approvals that these rules require now.
    List<Approvals.Wanted> approvals(Operation operation, Instant now) {
        var spec = Optional.ofNullable(rings.get(operation.ref()));
        return clauses(spec, operation.ref(), Phase.OPERATION)
                .filter(asked -> asked.judge("", spec, now).asksForApproval())
                .flatMap(asked -> asked.clause().rule() instanceof Rule.DestructiveApproval approval
                                && OperationRules.mustBeApproved(approval, Proposal.of(operation))
                        ? Stream.of(new Approvals.Wanted(approval.approvers(), approval.authorMayApprove()))
                        : Stream.empty())
                .toList();
    }

    /// The backup rules that block something now, and from which the ring is not exempted.
    List<Rule.BackupFreshness> freshness(EtcdClusterSpec spec, Instant now) {
        return freshness(Optional.of(spec), spec.ref(), now).toList();
    }

    boolean asksForBackups(Operation operation, Instant now) {
        return freshness(Optional.ofNullable(rings.get(operation.ref())), operation.ref(), now)
                .anyMatch(rule -> BackupStanding.concerns(rule, operation));
    }

    private Stream<Rule.BackupFreshness> freshness(Optional<EtcdClusterSpec> spec, ClusterRef ref, Instant now) {
        return clauses(spec, ref, Phase.OPERATION)
                .filter(asked -> asked.judge("", spec, now).stops())
                .map(asked -> asked.clause().rule())
                .filter(Rule.BackupFreshness.class::isInstance)
                .map(Rule.BackupFreshness.class::cast);
    }

    /// Manual drift that stays, by policies that report it.
    List<RuleBreach> of(EtcdClusterSpec spec, List<ObjectDrift> told, Instant now) {
        var judgements = new ArrayList<RuleBreach>();
        for (var drift : told) {
            String why = "the " + drift.object().title() + " was changed by hand at " + ManualDrift.places(drift)
                    + ", and the policy leaves it as it is. Have the policy correct or ignore it, or undo it by hand";
            var asked = clauses(Optional.of(spec), spec.ref(), Phase.OBJECTS)
                    .filter(a -> a.clause().rule() instanceof Rule.DriftPolicy rule
                            && ManualDrift.tells(rule.handling(), drift))
                    .findFirst();
            asked.map(a -> a.judge(why, Optional.of(spec), now))
                    .or(() -> unread(Optional.of(spec), spec.ref()).map(u -> u.warning(why + "; " + u.why())))
                    .ifPresent(judgements::add);
        }
        return judgements;
    }

    private static Rule ownWindows(EtcdClusterSpec spec) {
        var windows = new Windows(spec.declaration().handling().maintenance().windows(), List.of());
        return new Rule.MaintenanceWindow(windows, Duration.ZERO, Risk.LOW, false);
    }

    private Optional<RuleBreach> unread(Optional<EtcdClusterSpec> spec, ClusterRef ref) {
        return book.unread().stream()
                .filter(unread -> spec.map(unread::mayHold).orElseGet(() -> unread.mayHold(ref)))
                .findFirst()
                .map(unread -> new RuleBreach(
                        "policy-unread",
                        Optional.empty(),
                        unread.source().toString(),
                        Effect.HOLD,
                        "a policy that may apply to the ring is invalid, so what it forbids is unknown. Fix the"
                                + " policy",
                        Optional.empty()));
    }

    private Stream<Asked> clauses(Optional<EtcdClusterSpec> spec, ClusterRef ref, Phase phase) {
        return book.policies().stream()
                .filter(policy -> spec.map(policy.rings()::selects)
                        .orElseGet(() -> policy.rings().maySelect(ref)))
                .flatMap(policy -> policy.clauses().stream().map(clause -> new Asked(policy, clause, ref)))
                .filter(asked -> asked.clause().rule().phase() == phase);
    }

    /// A breach that other code has found.
    RuleBreach judge(Policy policy, Policy.Clause clause, ClusterRef ref, String why, Instant now) {
        return new Asked(policy, clause, ref).judge(why, Optional.ofNullable(rings.get(ref)), now);
    }

    /// The same for a rule that may not be broken.
    Hearing heard(Policy policy, Policy.Clause clause, Operation operation, Optional<String> why, Instant now) {
        return new Asked(policy, clause, operation.ref())
                .heard(why, Optional.of(operation.kind()), Optional.ofNullable(rings.get(operation.ref())), now);
    }

    private final class Asked {
        private final Policy policy;
        private final Policy.Clause clause;
        private final ClusterRef ref;

        Asked(Policy policy, Policy.Clause clause, ClusterRef ref) {
            this.policy = policy;
            this.clause = clause;
            this.ref = ref;
        }

        Policy.Clause clause() {
            return clause;
        }

        Hearing heard(Optional<String> why, Optional<String> operation, Optional<EtcdClusterSpec> spec, Instant now) {
            var judgement = why.map(text -> judge(text, spec, now));
            return new Hearing(
                    policy.name(),
                    clause.rule().id(),
                    ref,
                    operation,
                    judgement.map(Hearing.Outcome::of).orElse(Hearing.Outcome.PASS),
                    judgement.map(RuleBreach::why).orElse(""));
        }

        RuleBreach judge(String why, Optional<EtcdClusterSpec> spec, Instant now) {
            var exemptions = book.exemptions().stream()
                    .filter(e -> e.concerns(policy, clause.rule()))
                    .filter(e -> spec.map(e::concerns).orElseGet(() -> e.rings().contains(ref)))
                    .toList();
            var exemption = exemptions.stream().filter(e -> e.inForceAt(now)).findFirst();
            String expired = exemptions.stream()
                    .filter(e -> exemption.isEmpty() && e.expiredAt(now))
                    .map(e -> "; the exemption " + e.name() + " expired on "
                            + e.word().expires())
                    .findFirst()
                    .orElse("");
            String later = clause.effect().stops() && !clause.enforcedAt(now)
                    ? "; from " + clause.enforceFrom().orElseThrow() + " on: " + clause.effect()
                    : "";
            return new RuleBreach(
                    clause.rule().id(),
                    Optional.of(clause.rule().kind()),
                    "policy " + policy.name(),
                    clause.effectAt(now),
                    why + expired + later,
                    exemption);
        }
    }
}
