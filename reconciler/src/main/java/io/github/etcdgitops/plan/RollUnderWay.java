package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.heal.Healing;
import io.github.etcdgitops.plan.heal.Repair;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.maintenance.Upkeep;
import io.github.etcdgitops.ring.repair.MissedMachines;
import io.github.etcdgitops.ring.repair.RenewedPlaces;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import io.github.etcdgitops.ring.roll.Rolls;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.NextPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// Plans the next action of a roll under way. Pods that do not run on the new template get the former one
/// first; this needs no leader. Then members are repaired in every case, and after that the roll continues,
/// or is rolled back.
record RollUnderWay(EtcdClusterSpec spec, ClusterState state, StatefulSetState set, Journal journal, Instant now) {
    private static final String RAISED = "etcd has raised the cluster version already";

    /// The other template for pods that do not run.
    Optional<ClusterPlan> lift(Draft draft, List<Finding> findings) {
        var rolling = settled();
        rolling.flatMap(roll -> catchingUp(roll).finding()).ifPresent(findings::add);
        return lift().map(operation -> {
            if (rolling.filter(Rolling::raised).isPresent()) {
                findings.add(goesOn(RAISED));
            }
            return draft.chain(List.of(operation), RingModel.of(state), List.of());
        });
    }

    /// The new template, where etcd has raised the cluster version; otherwise the former one, in a ring
    /// that has lost its quorum and may regain it that way.
    Optional<Operation> lift() {
        return settled().flatMap(rolling -> catchingUp(rolling).operation().or(() -> reinstated(rolling)));
    }

    /// Where the former template starts nobody, running members keep the new one.
    private Optional<Operation> reinstated(Rolling rolling) {
        return QuorumLoss.of(state)
                .filter(_ -> rolling.maybeBehind(state, set).isEmpty())
                .filter(loss -> back(rolling, !rolling.stuck().isEmpty()) && lifts(loss, rolling))
                .map(loss -> rolling.back(state, journal, "the ring has no quorum", alone(loss, rolling)));
    }

    private Optional<Rolling> settled() {
        boolean settled = journal.roll().isPresent() && set.rollout().settled() && set.replicas() >= 2;
        return settled ? Optional.of(Rolling.of(state, set.replicas(), set, journal)) : Optional.empty();
    }

    private CatchingUp catchingUp(Rolling rolling) {
        return new CatchingUp(spec, state, set, journal, rolling, now);
    }

    private boolean alone(QuorumLoss loss, Rolling rolling) {
        return rolling.unwell().containsAll(loss.missing().keySet())
                && unalarmed()
                && journal.intent().flatMap(Intent::paused).isEmpty();
    }

    private boolean unalarmed() {
        return state.ring().optional().filter(r -> !r.alarms().isEmpty()).isEmpty();
    }

    /// Whether a majority could answer with the members where only the template may be wrong.
    private static boolean lifts(QuorumLoss loss, Rolling rolling) {
        long able = rolling.unwell().stream()
                .filter(ordinal -> Optional.ofNullable(loss.missing().get(ordinal))
                        .filter(m -> m.mayComeBack()
                                && m.pod().filter(p -> p.stranded()).isEmpty())
                        .isPresent())
                .count();
        return able > 0 && running(loss) + able >= loss.needed();
    }

    /// Members that answer, or that run and would answer with a quorum.
    private static long running(QuorumLoss loss) {
        return loss.survivors().size()
                + loss.missing().values().stream()
                        .filter(m -> m.pod()
                                .filter(p -> !p.terminating()
                                        && p.life().trouble().isEmpty()
                                        && p.life().whereabouts().runs())
                                .isPresent())
                        .count();
    }

    private boolean back(Rolling rolling, boolean unwanted) {
        return rolling.mayGoBack() && (journal.isUnderWay(Intent.Kind.UNROLL) || unwanted);
    }

    ClusterPlan plan(int size, Draft draft, List<Finding> findings) {
        var roll = journal.roll().orElseThrow();
        var rolling = Rolling.of(state, size, set, journal);
        var rolls = new Rolls(spec, state, journal, now);
        rolling.stuck().forEach(failing -> findings.add(stuck(failing)));
        boolean back = back(rolling, !rolling.stuck().isEmpty() || !rolls.stillWanted(roll));
        findings.addAll(rolls.findings());
        var healing = state.ring()
                .optional()
                .filter(_ -> QuorumLoss.of(state).isEmpty())
                .map(ring -> new Healing(spec, state, size, ring, now));
        healing.ifPresent(h -> findings.addAll(h.findings()));
        var repair = healing.flatMap(h -> h.operation().or(h::failing)).filter(r -> pressing(r, rolling));
        if (back && !rolling.unwell().isEmpty()) {
            // Members that are away are brought back even where nothing else is allowed; each step checks
            // for itself.
            draft.unwell(Set.of());
            boolean ends = repair.isEmpty() && nothingElse(rolling);
            return draft.chain(List.of(rolling.back(state, journal, "", ends)), RingModel.of(state), List.of());
        }
        var onward = repair.map(Repair::places)
                .or(() -> rolling.raised() ? Optional.of(Collections.emptySortedMap()) : Optional.empty())
                .flatMap(places -> onward(size, places, draft, findings));
        if (onward.isPresent()) {
            return onward.get();
        }
        var operations = new ArrayList<Operation>();
        healing.ifPresent(_ -> operations.addAll(MissedMachines.notes(spec, state, size)));
        if (repair.isPresent()) {
            operations.add(repair.get().operation());
            return draft.changes(
                    operations, RingModel.of(state), repair.get().places().keySet());
        }
        var next = back
                ? rolling.back(state, journal, "the spec does not ask for it any more", true)
                : rolls.underWay(roll, size, rolling.from());
        operations.addAll(withRoom(next, findings));
        return draft.changes(operations, RingModel.of(state), back ? Set.of() : rolling.awaited(state));
    }

    private static Finding stuck(Failing failing) {
        return new Finding(Level.ERROR, FindingCode.ROLL_STUCK, failing.why() + ": " + failing.detail());
    }

    /// A ring that is out of space gets room first.
    private List<Operation> withRoom(Operation next, List<Finding> findings) {
        return state.ring()
                .optional()
                .map(ring -> new Upkeep(spec, state, ring, now, findings).around(List.of(next)))
                .orElse(List.of(next));
    }

    /// A request for a healthy ring can wait until the roll is over.
    private boolean pressing(Repair repair, Rolling rolling) {
        boolean asked = !repair.places().isEmpty()
                && repair.places().values().stream()
                        .map(place -> place.claim().why())
                        .allMatch(why -> why == Why.VOLUME_ASKED || why == Why.MEMBER_ASKED);
        return !asked || !RingHealth.problems(state, rolling.awaited(state)).isEmpty();
    }

    private boolean nothingElse(Rolling rolling) {
        return rolling.unwell().containsAll(RingHealth.hopeless(state)) && unalarmed();
    }

    /// A rollback is no longer possible where etcd has raised the cluster version, or would with new
    /// members at these `places`, because no member of the former minor version would remain. The ring then
    /// admits no member of that version, so the new template is written first. The roll had its backup at
    /// its start, and a ring with an alarm could not give one.
    Optional<ClusterPlan> onward(
            int size, SortedMap<Integer, ReplacementSlot> places, Draft draft, List<Finding> findings) {
        if (journal.roll().isEmpty() || !new NextPod(set, journal).former()) {
            return Optional.empty();
        }
        boolean raised = Rolling.of(state, size, set, journal).raised();
        boolean ends = state.ring()
                .optional()
                .filter(ring -> raised || RenewedPlaces.raise(state, ring, places))
                .isPresent();
        if (!ends) {
            return Optional.empty();
        }
        findings.add(goesOn(
                raised ? RAISED : "no member of that minor version stays, and etcd admits none beside newer members"));
        var roll = journal.roll().orElseThrow();
        return Optional.of(draft.only(List.of(new Rolls(spec, state, journal, now).underWay(roll, size, size))));
    }

    private Finding goesOn(String why) {
        return new Finding(
                Level.WARNING,
                FindingCode.ROLL_GOES_ON,
                "the ring cannot go back to etcd "
                        + journal.applied().version() + ": " + why + ". The upgrade to etcd "
                        + journal.roll().orElseThrow().target().version() + " continues");
    }
}
