package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.begin.Absence;
import io.github.etcdgitops.plan.begin.Adopting;
import io.github.etcdgitops.plan.begin.NotYet;
import io.github.etcdgitops.plan.begin.Returning;
import io.github.etcdgitops.plan.begin.StartDecision;
import io.github.etcdgitops.plan.heal.Healing;
import io.github.etcdgitops.plan.heal.Repair;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.auth.Authentication;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.maintenance.Upkeep;
import io.github.etcdgitops.ring.membership.DivergenceFindings;
import io.github.etcdgitops.ring.membership.ForeignObjects;
import io.github.etcdgitops.ring.membership.Membership;
import io.github.etcdgitops.ring.membership.RepairObjects;
import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.ring.repair.MissedMachines;
import io.github.etcdgitops.ring.repair.NodeFindings;
import io.github.etcdgitops.ring.repair.NoteMachine;
import io.github.etcdgitops.ring.repair.RefusedStarts;
import io.github.etcdgitops.ring.roll.DowngradeGate;
import io.github.etcdgitops.ring.roll.Rolls;
import io.github.etcdgitops.ring.roll.UnusedSettings;
import io.github.etcdgitops.ring.storage.DeleteLeftVolumes;
import io.github.etcdgitops.ring.storage.StorageFindings;
import io.github.etcdgitops.ring.tls.Renewal;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Makes an ordered plan for one ring from its spec and state. Repairs first, then changes. Plans nothing
/// on Unknown, and at most one chain of changes of one kind.
public final class Planner {
    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final BackupPlanning protect;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();
    private final Draft draft;

    private Planner(EtcdClusterSpec spec, ClusterState state, BackupPlanning protect, Instant now) {
        this.spec = spec;
        this.state = state;
        this.protect = protect;
        this.now = now;
        this.draft = new Draft(spec, state, protect, findings);
    }

    /// `now` decides whether a suspension has expired and whether a backup is too old; nothing else depends
    /// on it.
    public static ClusterPlan plan(EtcdClusterSpec spec, ClusterState state, BackupNeeds needs, Instant now) {
        var hands = ManualDrift.of(spec, state);
        var plan = new Planner(spec, hands.corrected(state), new BackupPlanning(spec, needs, now), now).plan();
        return plan.withFindings(hands.overwritten(plan));
    }

    private ClusterPlan plan() {
        findings.addAll(NotYet.findings(spec, state));
        findings.addAll(protect.findings());
        var set = state.kube().knownSet();
        boolean foreign = Adopting.concerns(state);
        var unknown = state.kube().unknownParts();
        if (!unknown.isEmpty() && !foreign) {
            unknown.forEach(reason -> findings.add(new Finding(Level.ERROR, FindingCode.UNKNOWN, reason)));
            return draft.nothing(Situation.UNKNOWN);
        }
        var suspension = Suspension.of(spec, state, now);
        if (suspension.isPresent()) {
            findings.add(new Finding(Level.WARNING, FindingCode.SUSPENDED, suspension.get()));
            return draft.nothing(Situation.SUSPENDED);
        }
        if (foreign) {
            var adopting = Adopting.of(spec, state);
            findings.addAll(adopting.findings());
            return adopting.operations().isEmpty()
                    ? draft.nothing(adopting.unknown() ? Situation.UNKNOWN : Situation.HELD)
                    : draft.changes(adopting.operations(), RingModel.of(state), Set.of());
        }
        var returning = Returning.of(spec, state);
        if (returning.isPresent()) {
            return returning(returning.get());
        }
        findings.addAll(protect.quorumLost(state));
        set.flatMap(_ -> ForeignObjects.finding(state)).ifPresent(findings::add);
        findings.addAll(new NodeFindings(spec, state).all());
        return switch (RecoveryPlanning.of(spec, state, protect.restore()).orElse(null)) {
            case RecoveryPlanning.Held(FindingCode code, String reason) -> draft.held(code, reason);
            case RecoveryPlanning.With(var operations, var start) -> draft.exchanged(operations, start);
            case RecoveryPlanning.Refused(String reason) -> {
                findings.add(new Finding(Level.WARNING, FindingCode.RESTORE_REFUSED, reason));
                yield thereOrNot(set);
            }
            case null -> thereOrNot(set);
        };
    }

    /// A ring that was deleted and should exist again.
    private ClusterPlan returning(Returning returning) {
        return switch (returning) {
            case Returning.Unconfirmed _ -> unconfirmed("the deletion of the ring");
            case Returning.Held(FindingCode code, String reason) -> draft.held(code, reason);
            case Returning.With(var operation, var start) -> {
                oneAtATime();
                yield draft.chain(List.of(operation), start, List.of());
            }
        };
    }

    private ClusterPlan unconfirmed(String what) {
        findings.add(new Finding(Level.ERROR, FindingCode.UNKNOWN, what + " could not be confirmed by a read by name"));
        return draft.nothing(Situation.UNKNOWN);
    }

    private void oneAtATime() {
        findings.add(new Finding(
                Level.NOTE, FindingCode.ONE_AT_A_TIME, "everything else in the spec is planned after this"));
    }

    private ClusterPlan thereOrNot(Optional<KubeState.StatefulSetState> set) {
        return switch (StartDecision.of(spec, state, protect.restore())) {
            case StartDecision.Held(FindingCode code, String reason) -> draft.held(code, reason);
            case StartDecision.With(var operations) -> draft.changes(operations, RingModel.EMPTY, Set.of());
            case StartDecision.Over _ -> set.filter(s -> !s.terminating()).isPresent() ? running(set.get()) : absent();
        };
    }

    private ClusterPlan absent() {
        return switch (Absence.of(spec, state)) {
            case Absence.Unconfirmed _ -> unconfirmed("the absence of the ring");
            case Absence.Held(FindingCode code, String reason) -> draft.held(code, reason);
            case Absence.Startable(var operation, String reason) -> {
                findings.add(new Finding(Level.WARNING, Absence.MISSING, reason));
                oneAtATime();
                yield draft.chain(List.of(operation), RingModel.EMPTY, List.of());
            }
            case Absence.Interrupted(Operation back) -> draft.changes(List.of(back), RingModel.of(state), Set.of());
        };
    }

    private ClusterPlan running(KubeState.StatefulSetState set) {
        var journal = state.kube().knownJournal();
        if (journal.isEmpty()) {
            return draft.held(
                    FindingCode.JOURNAL_MISSING, "etcd-gitops manages this StatefulSet, but its journal is gone");
        }
        renewals(journal.get());
        var otherIssuer = Renewal.otherIssuer(spec, journal.get());
        if (otherIssuer.isPresent()) {
            return draft.held(FindingCode.ISSUER_CHANGES, otherIssuer.get());
        }
        var ring = state.ring().optional();
        var roll = new RollUnderWay(spec, state, set, journal.get(), now);
        var lift = roll.lift(draft, findings);
        if (lift.isPresent()) {
            oneAtATime();
            return lift.get();
        }
        if (ring.isEmpty()
                && set.rollout().settled()
                && journal.get().roll().isPresent()
                && state.kube().isOfOne()) {
            oneAtATime();
            return roll.plan(1, draft, findings);
        }
        if (ring.isEmpty()) {
            findings.add(new Finding(
                    Level.ERROR,
                    FindingCode.RING_UNKNOWN,
                    state.ring().unknownReason().orElseThrow()));
            var looks = new ArrayList<Operation>(InspectVolume.detect(state));
            return looks.isEmpty() ? draft.nothing(Situation.UNKNOWN) : draft.only(looks);
        }
        if ((set.rollout().inProgress() && journal.get().roll().isEmpty())
                || !set.rollout().settled()) {
            return draft.held(
                    FindingCode.ROLL_IN_PROGRESS, "the StatefulSet is rolling, or its controller lags behind");
        }
        return among(set, journal.get(), ring.get(), roll);
    }

    private ClusterPlan among(KubeState.StatefulSetState set, Journal journal, RingState ring, RollUnderWay roll) {
        var downgrade = DowngradeGate.foreign(spec.server().version(), journal, ring);
        if (downgrade.isPresent()) {
            return draft.held(FindingCode.FOREIGN_DOWNGRADE, downgrade.get());
        }
        findings.addAll(UnusedSettings.findings(state.ref(), journal, ring));
        var refused = new RefusedStarts(spec, state, ring, now);
        var membership = Membership.of(state.ref(), ring, set, journal);
        if (!(membership instanceof Membership.Steady)) {
            findings.addAll(new DivergenceFindings(spec, state.kube(), ring, new TreeMap<>()).findings());
        }
        boolean heals = membership instanceof Membership.Steady || membership instanceof Membership.Replacing;
        boolean first = !heals && refused.operation().isPresent();
        // During other membership changes, it is one of the problems listed there.
        if (first || membership instanceof Membership.Rolled || membership instanceof Membership.Gap) {
            findings.addAll(refused.findings());
        }
        if (first) {
            oneAtATime();
            draft.unwell(Set.of());
            return draft.chain(List.of(refused.operation().get()), RingModel.of(state), List.of());
        }
        var changing = new Changing(spec, state, ring, roll, draft, findings, now);
        return switch (membership) {
            case Membership.Broken(FindingCode code, String reason) -> draft.held(code, reason);
            case Membership.Steady(int members) -> steady(members, ring, journal, changing);
            case Membership.Rolled(int members, var unused) -> {
                oneAtATime();
                yield roll.plan(members, draft, findings);
            }
            case Membership.Gap(int members, var missing) -> changing.gap(members, missing);
            case Membership.Replacing replacing -> changing.replacing(replacing);
            case Membership.Joining(int ordinal, var missing) -> changing.joining(ordinal, missing);
            case Membership.Leaving leaving -> changing.leaving(leaving);
        };
    }

    private void renewals(Journal journal) {
        draft.renewals(Renewal.due(spec, state, journal, now), Renewal.overdue(spec, journal, now));
        Renewal.finding(spec, journal, now).ifPresent(findings::add);
    }

    private ClusterPlan steady(int members, RingState ring, Journal journal, Changing changing) {
        var healing = new Healing(spec, state, members, ring, now);
        findings.addAll(healing.findings());
        StorageFindings.leftOver(spec, state, members).ifPresent(findings::add);
        var mended = changing.mended(members);
        if (mended.isPresent()) {
            return mended.get();
        }
        boolean lost = QuorumLoss.of(state).isPresent();
        var chain = new Chain(spec, state, now);
        var operations = new ArrayList<Operation>(InspectVolume.detect(state));
        operations.addAll(lost ? List.<NoteMachine>of() : MissedMachines.notes(spec, state, members));
        RepairObjects.detect(spec, state, members, Optional.empty()).ifPresent(operations::add);
        var access = Authentication.of(spec, ring, journal);
        operations.addAll(access.first());
        operations.addAll(chain.from(members, ring, new Rolls(spec, state, journal, now)));
        operations.addAll(access.last());
        findings.addAll(access.findings());
        findings.addAll(chain.findings());
        var urgent = new Upkeep(spec, state, ring, now, findings).around(operations);
        var wanted = urgent.isEmpty() ? leftVolumes(members) : urgent;
        boolean idle = !lost && wanted.stream().allMatch(draft::waits);
        return (idle ? healing.failing() : Optional.<Repair>empty())
                .map(repair -> changing.alone(members, List.of(repair.operation())))
                .orElseGet(() -> draft.changes(wanted, RingModel.of(state), Set.of()));
    }

    /// Their deletion depends on their age.
    private List<DeleteLeftVolumes> leftVolumes(int members) {
        var left = DeleteLeftVolumes.detect(spec, state, members, now);
        var doubt = protect.clockDoubt().filter(_ -> !left.isEmpty());
        doubt.ifPresent(why -> findings.add(new Finding(
                Level.WARNING,
                FindingCode.CLOCK_IN_DOUBT,
                "no volume of a former member is deleted because of its age: " + why)));
        return doubt.isPresent() ? List.of() : left;
    }
}
