package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.RepairObjects;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.ClusterPlan.Waiting;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.step.RingModel;
import io.github.etcdgitops.step.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// From what should be and what is to an ordered plan for one ring. Heal first, then change. Plans
/// nothing on Unknown, and at most one chain of changes of one kind.
public final class Planner {
    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final Protect protect;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    /// Goes before everything: members whose certificates have ended answer nobody.
    private List<Operation> renewal = List.of();

    private Optional<String> overdue = Optional.empty();

    private Planner(EtcdClusterSpec spec, ClusterState state, Protect protect, Instant now) {
        this.spec = spec;
        this.state = state;
        this.protect = protect;
        this.now = now;
    }

    /// `now` decides whether a suspension has run out and whether a backup is too old; nothing else
    /// depends on it.
    public static ClusterPlan plan(EtcdClusterSpec spec, ClusterState state, BackupNeeds needs, Instant now) {
        return new Planner(spec, state, new Protect(spec.ref(), needs, now), now).plan();
    }

    private ClusterPlan plan() {
        findings.addAll(NotYet.findings(spec, state));
        findings.addAll(protect.findings());
        var set = state.kube().statefulSet().optional().flatMap(s -> s);
        boolean foreign = Adopting.concerns(state);
        var unknown = state.kube().unknownParts();
        if (!unknown.isEmpty() && !foreign) {
            unknown.forEach(reason -> findings.add(new Finding(Level.ERROR, "unknown", reason)));
            return nothing(Situation.UNKNOWN);
        }
        var suspension = Suspension.of(spec, state, now);
        if (suspension.isPresent()) {
            findings.add(new Finding(Level.WARNING, "suspended", suspension.get()));
            return nothing(Situation.SUSPENDED);
        }
        if (foreign) {
            var adopting = Adopting.of(spec, state);
            findings.addAll(adopting.findings());
            return adopting.operations().isEmpty()
                    ? nothing(adopting.situation())
                    : changes(adopting.operations(), RingModel.of(state), Set.of());
        }
        return switch (Beginning.of(spec, state, protect.restore())) {
            case Beginning.Held(String code, String reason) -> held(code, reason);
            case Beginning.With(var operations) -> changes(operations, RingModel.EMPTY, Set.of());
            case Beginning.Over _ -> set.filter(s -> !s.terminating()).isPresent() ? running(set.get()) : absent();
        };
    }

    private ClusterPlan absent() {
        return switch (Absence.of(state)) {
            case Absence.Unconfirmed _ -> {
                findings.add(
                        new Finding(Level.ERROR, "unknown", "that the ring is absent could not be confirmed by name"));
                yield nothing(Situation.UNKNOWN);
            }
            case Absence.Held(String code, String reason) -> held(code, reason);
            case Absence.Interrupted(Operation back) -> changes(List.of(back), RingModel.of(state), Set.of());
        };
    }

    private ClusterPlan running(KubeState.StatefulSetState set) {
        var journal = state.kube().journal().optional().flatMap(j -> j).map(KubeState.JournalState::journal);
        if (journal.isEmpty()) {
            return held("journal-missing", "the StatefulSet is ours, but its journal is gone");
        }
        renewal = Renewal.due(spec, state, journal.get(), now);
        Renewal.finding(spec, journal.get(), now).ifPresent(findings::add);
        overdue = Renewal.overdue(spec, journal.get(), now);
        var otherIssuer = Renewal.otherIssuer(spec, journal.get());
        if (otherIssuer.isPresent()) {
            return held("issuer-changes", otherIssuer.get());
        }
        var ring = state.ring().optional();
        if (ring.isEmpty()
                && set.rollout().settled()
                && journal.get().roll().isPresent()
                && state.kube().isOfOne()) {
            var roll = journal.get().roll().get();
            return rolling(Rolling.of(state, 1, set, journal.get()), roll, journal.get());
        }
        if (ring.isEmpty()) {
            findings.add(new Finding(
                    Level.ERROR, "ring-unknown", state.ring().unknownReason().orElseThrow()));
            return nothing(Situation.UNKNOWN);
        }
        boolean ours = journal.get().roll().isPresent();
        if ((set.rollout().inProgress() && !ours) || !set.rollout().settled()) {
            return held(
                    "roll-in-progress",
                    "the StatefulSet is in the midst of a roll, or its controller has not caught up");
        }
        return switch (Membership.of(state.ref(), ring.get(), set, journal.get())) {
            case Membership.Broken(String code, String reason) -> held(code, reason);
            case Membership.Steady(int members) -> steady(members, ring.get(), journal.get());
            case Membership.Rolled(int members, var roll) ->
                rolling(Rolling.of(state, members, set, journal.get()), roll, journal.get());
            case Membership.Replacing(int members, var replacement) -> replacing(members, ring.get(), replacement);
            case Membership.Joining(int ordinal) -> joining(ordinal, ring.get());
            case Membership.Leaving(int ordinal, boolean stillMember) -> leaving(ordinal, stillMember, ring.get());
        };
    }

    private ClusterPlan steady(int members, RingState ring, Journal journal) {
        var healing = new Healing(spec, state, members, ring);
        findings.addAll(healing.findings());
        if (healing.due()) {
            return mended(healing.operation(), healing.lost());
        }
        var chain = new Chain(spec, state);
        var operations = new ArrayList<Operation>();
        RepairObjects.detect(state, members, Optional.empty()).ifPresent(operations::add);
        operations.addAll(chain.from(members, ring, new Rolls(spec, state, journal, now)));
        findings.addAll(chain.findings());
        return changes(operations, RingModel.of(state), Set.of());
    }

    private ClusterPlan replacing(int members, RingState ring, Intent.Replacement replacement) {
        var operation = new Healing(spec, state, members, ring).underWay(replacement);
        return mended(operation, replacement.formers().keySet());
    }

    /// A ring that lacks a member is given it back before anything else.
    private ClusterPlan mended(Operation operation, Set<Integer> broken) {
        findings.add(new Finding(
                Level.NOTE, "one-at-a-time", "whatever else the spec asks for is planned once this has ended"));
        return changes(List.of(operation), RingModel.of(state), broken);
    }

    /// What was begun goes on, or back; what comes after it is planned once it has ended.
    private ClusterPlan rolling(Rolling rolling, Intent.Roll roll, Journal journal) {
        var rolls = new Rolls(spec, state, journal, now);
        rolling.stuck().forEach(s -> findings.add(new Finding(Level.ERROR, "roll-stuck", s.why() + ": " + s.detail())));
        boolean back = rolling.stage() != Rolling.Stage.ROLLED
                && (journal.isUnderWay(Intent.Kind.UNROLL)
                        || (rolling.mayGoBack() && (!rolling.stuck().isEmpty() || !rolls.stillWanted(roll))));
        findings.addAll(rolls.findings());
        findings.add(new Finding(
                Level.NOTE, "one-at-a-time", "whatever else the spec asks for is planned once this has ended"));
        if (back && !rolling.unwell().isEmpty()) {
            // Members that are away are brought back even where nothing else may be done; each step looks for itself.
            unwell(Set.of());
            return chain(List.of(rolling.back(state, journal, "")), RingModel.of(state), List.of());
        }
        return back
                ? changes(
                        List.of(rolling.back(state, journal, "the spec does not ask for it any more")),
                        RingModel.of(state),
                        Set.of())
                : changes(
                        List.of(rolls.underWay(roll, rolling.size(), rolling.from())),
                        RingModel.of(state),
                        rolling.away().map(Set::of).orElse(Set.of()));
    }

    /// Heals first, then protects, then changes; what is deleted goes last.
    private List<Operation> protectedBy(List<? extends Operation> wanted, boolean green) {
        var operations = new ArrayList<Operation>(renewal);
        wanted.stream().filter(Operation::heals).forEach(operations::add);
        boolean risky = wanted.stream().anyMatch(Operation::needsBackup);
        operations.addAll(
                protect.backups(risky && green && protect.unprotected().isEmpty()));
        wanted.stream().filter(o -> !o.heals()).forEach(operations::add);
        operations.addAll(protect.drills());
        operations.addAll(protect.prunes());
        return operations;
    }

    private ClusterPlan joining(int ordinal, RingState ring) {
        var stuck = Stuck.join(state, ordinal, ring);
        stuck.ifPresent(why -> findings.add(new Finding(Level.WARNING, "join-stuck", why)));
        var chain = new Chain(spec, state);
        var operations = chain.onVolumes(Resize.afterJoining(spec, ordinal, ring, stuck.isPresent()));
        findings.addAll(chain.findings());
        return changes(operations, RingModel.of(state), Set.of(ordinal));
    }

    private ClusterPlan leaving(int ordinal, boolean stillMember, RingState ring) {
        var chain = new Chain(spec, state);
        boolean stays = stillMember && spec.size() > ordinal;
        var operations = new ArrayList<Operation>();
        if (stays) {
            RepairObjects.detect(state, ordinal + 1, Optional.of(ordinal)).ifPresent(operations::add);
        }
        operations.addAll(chain.onVolumes(
                stays ? Resize.chain(spec, ordinal + 1, ring) : Resize.afterLeaving(spec, ordinal, ring)));
        findings.addAll(chain.findings());
        return changes(operations, RingModel.of(state), stays ? Set.of() : Set.of(ordinal));
    }

    /// `exempt` are members in the midst of a change, which need not be well for it to go on.
    private ClusterPlan changes(List<? extends Operation> operations, RingModel start, Set<Integer> exempt) {
        return chain(operations, start, start.equals(RingModel.EMPTY) ? List.of() : unwell(exempt));
    }

    private List<String> unwell(Set<Integer> exempt) {
        var problems = RingHealth.problems(state, exempt);
        problems.forEach(p -> findings.add(new Finding(Level.WARNING, "not-green", p)));
        return problems;
    }

    /// What needs a green ring waits where there are `problems`.
    private ClusterPlan chain(List<? extends Operation> operations, RingModel start, List<String> problems) {
        boolean alone = start.equals(RingModel.EMPTY) || Adopting.concerns(state);
        return planned(alone ? operations : protectedBy(operations, problems.isEmpty()), start, problems);
    }

    private ClusterPlan planned(List<? extends Operation> operations, RingModel start, List<String> problems) {
        var planned = new ArrayList<PlannedOperation>();
        var waiting = new ArrayList<Waiting>();
        var ring = start;
        Optional<String> obstacle = Optional.empty();
        for (var operation : operations) {
            if (operation.changesRing()) {
                obstacle = obstacle.or(() -> obstacle(operation, problems));
            }
            if (operation.changesRing() && obstacle.isPresent()) {
                waiting.add(new Waiting(operation.summary(), obstacle.get()));
            } else {
                var next = PlannedOperation.of(operation, ring);
                planned.add(next);
                ring = next.end(ring);
            }
        }
        boolean inSync = planned.isEmpty() && waiting.isEmpty();
        return new ClusterPlan(
                state.ref(),
                situation(inSync),
                ClusterPlan.answering(state),
                planned,
                waiting,
                findings,
                Fingerprint.of(state));
    }

    /// Why the operation cannot be begun now, nor anything after it.
    private Optional<String> obstacle(Operation operation, List<String> problems) {
        if (!problems.isEmpty() && needsGreen(operation)) {
            return Optional.of("the ring is not green: " + problems.getFirst());
        }
        boolean risky = operation.needsBackup();
        return risky ? protect.unprotected().or(() -> overdue) : Optional.empty();
    }

    /// A ring that differs from its spec in nothing an operation exists for is in sync, unless
    /// something is in the way.
    private Situation situation(boolean inSync) {
        boolean error = findings.stream()
                .anyMatch(f -> f.level() == Level.ERROR || f.code().equals("not-green"));
        return inSync ? (error ? Situation.HELD : Situation.IN_SYNC) : Situation.CHANGES;
    }

    private static boolean needsGreen(Operation operation) {
        return operation.steps().stream().anyMatch(s -> s.gate() == Step.Gate.GREEN);
    }

    private ClusterPlan held(String code, String reason) {
        findings.add(new Finding(Level.ERROR, code, reason));
        return nothing(Situation.HELD);
    }

    private ClusterPlan nothing(Situation situation) {
        // Neither backups nor what deletes some: a human decides what the ring is first.
        if (!renewal.isEmpty()) {
            return planned(renewal, RingModel.of(state), List.of());
        }
        return ClusterPlan.nothing(state, situation, findings);
    }
}
