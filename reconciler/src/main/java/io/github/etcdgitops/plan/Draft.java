package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.ClusterPlan.Waiting;
import io.github.etcdgitops.plan.begin.Adopting;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.maintenance.Upkeep;
import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.member.Alarm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Collects the plan: the operations in order, what waits and why, and the findings. Repairs come first,
/// then backups, then changes.
final class Draft {
    private final ClusterState state;
    private final Hazards hazards;
    private final BackupPlanning protect;
    private final List<Finding> findings;

    /// Goes before everything: members with expired certificates do not answer.
    private List<Operation> renewal = List.of();

    /// Why nothing may start until a certificate is renewed.
    private Optional<String> overdue = Optional.empty();

    /// Whether the ring has problems: it is held even if they are not errors.
    private boolean unwell;

    /// More entries may be added to `findings`.
    Draft(EtcdClusterSpec spec, ClusterState state, BackupPlanning protect, List<Finding> findings) {
        this.state = state;
        this.hazards = new Hazards(spec, state);
        this.protect = protect;
        this.findings = findings;
    }

    void renewals(List<Operation> due, Optional<String> late) {
        renewal = due;
        overdue = late;
    }

    /// `exempt` are members whose change is under way; the change continues even if they are not healthy.
    ClusterPlan changes(List<? extends Operation> operations, RingModel start, Set<Integer> exempt) {
        return chain(operations, start, start.equals(RingModel.EMPTY) ? List.of() : unwell(exempt));
    }

    List<String> unwell(Set<Integer> exempt) {
        var problems = RingHealth.problems(state, exempt);
        problems.forEach(p -> findings.add(new Finding(Level.WARNING, FindingCode.NOT_GREEN, p)));
        unwell = unwell || !problems.isEmpty();
        return problems;
    }

    /// Operations that need a healthy ring wait while there are `problems`.
    ClusterPlan chain(List<? extends Operation> operations, RingModel start, List<String> problems) {
        boolean alone = start.equals(RingModel.EMPTY) || Adopting.concerns(state);
        boolean begins =
                problems.isEmpty() || operations.stream().anyMatch(operation -> Upkeep.givesRoom(operation, state));
        return planned(alone ? operations : protectedBy(operations, begins), start, problems);
    }

    /// Only these operations: no backup is taken around them, because the ring may be unable to give one.
    ClusterPlan only(List<? extends Operation> wanted) {
        var operations = new ArrayList<Operation>(renewal);
        operations.addAll(wanted);
        return planned(operations, RingModel.of(state), List.of());
    }

    /// A ring makes way for another one: its data is saved first, and nothing else happens to it. Where it
    /// is unknown whose data is right, no backup could be verified.
    ClusterPlan exchanged(List<Operation> wanted, RingModel start) {
        var operations = new ArrayList<Operation>(protect.rescues(state));
        operations.addAll(InspectVolume.detect(state));
        boolean risky = wanted.stream().anyMatch(Operation::needsBackup);
        boolean provable = state.ring()
                .optional()
                .filter(ring -> !ring.alarms(Alarm.Kind.CORRUPT).isEmpty())
                .isEmpty();
        var backups =
                risky && provable && protect.unprotected().isEmpty() ? protect.backups(true) : List.<Operation>of();
        operations.addAll(backups);
        if (QuorumLoss.of(state).isEmpty()) {
            protect.fresh(wanted, !backups.isEmpty()).ifPresent(operations::add);
        }
        operations.addAll(wanted);
        return planned(operations, start, List.of());
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
                hazards.warning(operation)
                        .ifPresent(w -> findings.add(new Finding(Level.WARNING, FindingCode.HAZARD, w)));
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

    /// Why the operation cannot start now, nor anything after it.
    private Optional<String> obstacle(Operation operation, List<String> problems) {
        var hazard = hazards.forbidding(operation);
        if (hazard.isPresent()) {
            return hazard;
        }
        if (!problems.isEmpty() && needsGreen(operation) && !Upkeep.givesRoom(operation, state)) {
            return Optional.of("the ring is not green: " + problems.getFirst());
        }
        boolean risky = operation.needsBackup();
        return risky ? protect.unprotected().or(() -> overdue) : Optional.empty();
    }

    /// A ring that differs from its spec only where no operation exists is in sync, unless a finding blocks
    /// it.
    private Situation situation(boolean inSync) {
        boolean error = unwell || findings.stream().anyMatch(f -> f.level() == Level.ERROR);
        return inSync ? (error ? Situation.HELD : Situation.IN_SYNC) : Situation.CHANGES;
    }

    /// Whether the operation cannot start in the ring's current state.
    boolean waits(Operation operation) {
        return operation.changesRing()
                && obstacle(operation, RingHealth.problems(state, Set.of())).isPresent();
    }

    private static boolean needsGreen(Operation operation) {
        return operation.steps().stream().anyMatch(s -> s.gate() == Step.Gate.GREEN);
    }

    ClusterPlan held(FindingCode code, String reason) {
        findings.add(new Finding(Level.ERROR, code, reason));
        var looks = InspectVolume.detect(state);
        return looks.isEmpty() ? nothing(Situation.HELD) : only(looks);
    }

    ClusterPlan nothing(Situation situation) {
        // Neither backups nor deletions of backups: a person first decides which data is right.
        if (!renewal.isEmpty()) {
            return planned(renewal, RingModel.of(state), List.of());
        }
        return ClusterPlan.nothing(state, situation, findings);
    }

    /// Repairs first, then backups, then changes; deletions go last. A backup that a rule requires before a
    /// repair goes before that repair.
    private List<Operation> protectedBy(List<? extends Operation> wanted, boolean begins) {
        boolean fresh = begins && QuorumLoss.of(state).isEmpty();
        var healing = wanted.stream().filter(Operation::heals).toList();
        var changing = wanted.stream().filter(o -> !o.heals()).toList();
        var operations = new ArrayList<Operation>(renewal);
        var first = fresh ? protect.fresh(healing, false) : Optional.<Operation>empty();
        first.ifPresent(operations::add);
        operations.addAll(healing);
        operations.addAll(protect.rescues(state));
        boolean risky = wanted.stream().anyMatch(Operation::needsBackup);
        var backups = protect.backups(risky && begins && protect.unprotected().isEmpty());
        operations.addAll(backups);
        if (fresh) {
            protect.fresh(changing, first.isPresent() || !backups.isEmpty()).ifPresent(operations::add);
        }
        operations.addAll(changing);
        operations.addAll(protect.drills());
        operations.addAll(protect.prunes());
        return operations;
    }
}
