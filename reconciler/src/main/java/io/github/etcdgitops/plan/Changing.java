package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.heal.Departing;
import io.github.etcdgitops.plan.heal.Healing;
import io.github.etcdgitops.plan.heal.Repair;
import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.maintenance.Upkeep;
import io.github.etcdgitops.ring.membership.Membership;
import io.github.etcdgitops.ring.membership.RepairObjects;
import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.ring.repair.MissedMachines;
import io.github.etcdgitops.ring.repair.NoteMachine;
import io.github.etcdgitops.ring.repair.RefusedStarts;
import io.github.etcdgitops.ring.repair.ReleasePod;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.repair.ResetVolume;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.ring.scale.Resize;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleIn.Siblings;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.JoinAttempts;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// Plans a ring that lacks members, or whose membership is changing. Lost members are repaired first. For
/// that, the join of a member that does not vote yet is cancelled, and a member that has not left yet stays
/// until then. Afterwards the started change continues, because the spec still asks for it.
///
/// Methods may add to `findings`.
record Changing(
        EtcdClusterSpec spec,
        ClusterState state,
        RingState ring,
        RollUnderWay roll,
        Draft draft,
        List<Finding> findings,
        Instant now) {
    private Healing healing(int members) {
        return new Healing(spec, state, members, ring, now);
    }

    /// What a ring of `members` voters needs before anything else; empty where it needs nothing.
    Optional<ClusterPlan> mended(int members) {
        var repairs = repairs(members, false);
        return repairs.isEmpty() ? Optional.empty() : Optional.of(alone(members, withRoom(repairs)));
    }

    /// During a change, no other operation is possible that might help a member that does not start.
    private List<Operation> inBetween(int members) {
        return QuorumLoss.of(state).isPresent() ? List.of() : withRoom(repairs(members, true));
    }

    /// Members are replaced from the remaining members, and these may be too few.
    private List<Operation> repairs(int members, boolean inBetween) {
        if (QuorumLoss.of(state).isPresent()) {
            return List.of();
        }
        var leaving = Departing.of(spec, state, members, ring, now);
        if (!leaving.isEmpty()) {
            return leaving.departures(spec, members);
        }
        var healing = healing(members);
        return healing.operation()
                .or(() -> inBetween ? healing.failing() : Optional.empty())
                .map(repair -> List.of(repair.operation()))
                .orElseGet(List::of);
    }

    /// A ring that refuses writes gets room before its members are replaced. If all that is stored is
    /// current data, there may be no room to gain: then a new member is no worse off.
    private List<Operation> withRoom(List<Operation> repairs) {
        var upkeep = new Upkeep(spec, state, ring, now, findings);
        var operations = new ArrayList<>(repairs);
        upkeep.room(false).ifPresent(room -> operations.add(upkeep.crammed() ? operations.size() : 0, room));
        return operations;
    }

    ClusterPlan alone(int members, List<Operation> operations) {
        var all = new ArrayList<Operation>(notes(members));
        all.addAll(operations);
        oneAtATime();
        draft.unwell(about(operations));
        // Each step itself checks what the ring tolerates.
        return draft.chain(all, RingModel.of(state), List.of());
    }

    private static Set<Integer> about(List<Operation> operations) {
        var ordinals = new TreeSet<Integer>();
        for (var operation : operations) {
            if (operation instanceof ScaleIn departure) {
                ordinals.addAll(departure.away());
            } else if (operation instanceof ResetVolume reset) {
                ordinals.addAll(reset.places().keySet());
            } else if (operation instanceof ReplaceMember replacement) {
                ordinals.addAll(replacement.places().keySet());
            }
        }
        return ordinals;
    }

    private List<NoteMachine> notes(int members) {
        return QuorumLoss.of(state).isPresent() ? List.of() : MissedMachines.notes(spec, state, members);
    }

    private void oneAtATime() {
        findings.add(new Finding(
                Level.NOTE, FindingCode.ONE_AT_A_TIME, "everything else in the spec is planned after this"));
    }

    // --- removed by hand

    /// Whoever removed a member may add another one. So it is replaced only on explicit request.
    ClusterPlan gap(int members, SortedMap<Integer, EtcdId> missing) {
        return gap(members, missing, List.of());
    }

    private ClusterPlan gap(int members, SortedMap<Integer, EtcdId> missing, List<Operation> before) {
        var healing = healing(members);
        String reason = healing.said(missing);
        if (QuorumLoss.of(state).isPresent()) {
            // The data that is left is saved first, as in any other ring without a quorum.
            findings.add(new Finding(Level.ERROR, FindingCode.MEMBER_GAP, reason));
            return draft.changes(InspectVolume.detect(state), RingModel.of(state), Set.of());
        }
        if (!healing.fills()) {
            return draft.held(FindingCode.MEMBER_GAP, reason);
        }
        findings.add(new Finding(Level.WARNING, FindingCode.MEMBER_GAP, reason));
        var filling = healing.filling(missing);
        return roll.onward(members, filling.places(), draft, findings).orElseGet(() -> {
            var operations = new ArrayList<>(before);
            operations.add(filling.operation());
            return alone(members, operations);
        });
    }

    // --- replacements

    ClusterPlan replacing(Membership.Replacing under) {
        int members = under.members();
        var healing = healing(members);
        findings.addAll(healing.troubles());
        if (!under.missing().isEmpty()) {
            findings.add(new Finding(Level.WARNING, FindingCode.MEMBER_GAP, healing.said(under.missing())));
        }
        var operations = new ArrayList<Operation>(
                ReleasePod.detect(state, under.replacement().formers().keySet()));
        var lastVoter = Resize.lastVoter(spec.ref(), ring);
        if (lastVoter.isPresent()) {
            findings.add(new Finding(Level.ERROR, FindingCode.NO_LEARNERS, lastVoter.get()));
            return alone(members, operations);
        }
        if (QuorumLoss.of(state).isEmpty()) {
            healing.restart().ifPresent(operations::add);
            new RefusedStarts(spec, state, ring, now).operation().ifPresent(operations::add);
        }
        var surplus = Departing.insteadOf(spec, under, ring);
        operations.addAll(
                surplus.isPresent()
                        ? List.of(departure(surplus.get()))
                        : replaced(healing.underWay(under.replacement(), under.missing())));
        return alone(members, operations);
    }

    /// While a learner's pod is ready, evictions cannot be blocked as long as room is made. So no room is
    /// made then.
    private List<Operation> replaced(Repair repair) {
        var operations = List.of(repair.operation());
        return ring.learnerOrdinals(spec.ref()).isEmpty() ? withRoom(operations) : operations;
    }

    // --- joins

    ClusterPlan joining(int ordinal, SortedMap<Integer, EtcdId> missing) {
        boolean joined = joined(ordinal);
        int members = joined ? ordinal + 1 : ordinal;
        if (!missing.isEmpty() && joined) {
            return gap(members, missing, hurried(ordinal));
        }
        var first = new ArrayList<>(inBetween(members));
        boolean unclear = !joined && !ring.alarms(Alarm.Kind.CORRUPT).isEmpty();
        if (missing.isEmpty() && first.isEmpty() && !unclear) {
            return carriedOn(ordinal);
        }
        findings.addAll(healing(members).troubles());
        boolean inTheWay = first.isEmpty() || !first.stream().allMatch(RestartMember.class::isInstance);
        if (inTheWay && !joined) {
            first.addFirst(departure(ordinal));
        } else if (inTheWay) {
            first.addAll(0, hurried(ordinal));
        }
        return alone(members, first);
    }

    /// The remaining steps of a join whose member votes.
    private List<Operation> hurried(int ordinal) {
        return answers(ordinal)
                ? List.of(new ScaleOut(spec.ref(), ordinal, Resize.learners(ring), ScaleOut.Stage.HURRIED, like()))
                : List.of();
    }

    private ClusterPlan carriedOn(int ordinal) {
        var stuck = JoinAttempts.stuck(state, ordinal);
        var chain = new Chain(spec, state, now);
        var operations = new ArrayList<Operation>(notes(ordinal));
        operations.addAll(ReleasePod.detect(state, Set.of(ordinal)));
        operations.addAll(chain.afterJoining(ordinal, ring, stuck));
        findings.addAll(chain.findings());
        return draft.changes(operations, RingModel.of(state), Set.of(ordinal));
    }

    /// Waits for no other member: those are repaired next. Where this member's data differs, the alarm is
    /// disarmed too.
    private ScaleIn departure(int ordinal) {
        var differences = healing(ring.members().size()).differences();
        boolean odd = differences.over() || differences.formers().containsKey(ordinal);
        var siblings = odd ? Siblings.CORRUPT : Siblings.UNWELL;
        return ScaleIn.makingWay(spec.ref(), ordinal, siblings, JoinAttempts.hasCopy(state, ordinal));
    }

    /// Whether the member counts permanently: it votes, and starts on its own data only. The join of a
    /// member that only fails is cancelled like any other, and started again.
    private boolean joined(int ordinal) {
        boolean sealed =
                state.kube().config(ordinal).filter(config -> config.sealed()).isPresent();
        return member(ordinal)
                .filter(m -> !m.learner() && (m.answers() || (sealed && !fails(ordinal))))
                .isPresent();
    }

    private boolean fails(int ordinal) {
        return JoinAttempts.stuck(state, ordinal).isPresent()
                && JoinAttempts.gone(state, ordinal).isEmpty();
    }

    private boolean answers(int ordinal) {
        return member(ordinal).filter(MemberState::answers).isPresent();
    }

    private Optional<MemberState> member(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal));
    }

    private Blueprint like() {
        return Blueprint.like(spec, state.kube().appliedOr(spec.server()));
    }

    // --- departures

    ClusterPlan leaving(Membership.Leaving under) {
        int ordinal = under.ordinal();
        int members = under.votes() ? ordinal + 1 : ordinal;
        if (under.votes() && !under.missing().isEmpty()) {
            return gap(members, under.missing());
        }
        var first = new ArrayList<>(inBetween(members));
        if (first.isEmpty() && under.missing().isEmpty()) {
            return left(ordinal, under.votes());
        }
        findings.addAll(healing(members).troubles());
        if (!under.votes()) {
            first.addFirst(departure(ordinal));
        }
        first.addAll(0, ReleasePod.detect(state, Set.of(ordinal)));
        return alone(members, first);
    }

    private ClusterPlan left(int ordinal, boolean votes) {
        var chain = new Chain(spec, state, now);
        boolean stays = votes && spec.size() > ordinal;
        var operations = new ArrayList<Operation>(notes(votes ? ordinal + 1 : ordinal));
        operations.addAll(ReleasePod.detect(state, Set.of(ordinal)));
        if (stays) {
            RepairObjects.detect(spec, state, ordinal + 1, Optional.of(ordinal)).ifPresent(operations::add);
        }
        operations.addAll(chain.afterLeaving(ordinal, ring, stays));
        findings.addAll(chain.findings());
        return draft.changes(operations, RingModel.of(state), stays ? Set.of() : Set.of(ordinal));
    }
}
