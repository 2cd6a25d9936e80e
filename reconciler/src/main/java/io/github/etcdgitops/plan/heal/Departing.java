package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.membership.DivergenceFindings;
import io.github.etcdgitops.ring.membership.Membership;
import io.github.etcdgitops.ring.repair.LostVolumes;
import io.github.etcdgitops.ring.repair.MemberRequests;
import io.github.etcdgitops.ring.repair.RestartEscalation;
import io.github.etcdgitops.ring.repair.VolumeRequests;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleIn.Siblings;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// The members from the top down to the wanted size that are no longer of use: their volumes are lost, they
/// do not start, their data differs, or a document asks to replace them. A member that is to leave is not
/// replaced first.
///
/// A member below a healthy one is replaced like any other: removing the healthy one first would cost
/// tolerance. `siblings` describes the health of the others at that time.
public record Departing(SortedSet<Integer> ordinals, Siblings siblings) {
    private static final Departing NOBODY = new Departing(Collections.emptySortedSet(), Siblings.WELL);

    public Departing {
        ordinals = Collections.unmodifiableSortedSet(new TreeSet<>(ordinals));
    }

    public boolean isEmpty() {
        return ordinals.isEmpty();
    }

    /// Where another member is also unhealthy, those that do not answer leave: the ring loses no majority
    /// by it, and the others can be repaired afterwards. Where quorum is lost, or it is unknown whose data
    /// differs, no member leaves.
    public static Departing of(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        if (spec.size() >= members || members < 2 || QuorumLoss.of(state).isPresent()) {
            return NOBODY;
        }
        Set<Integer> away = away(spec, state, members, ring, now);
        var all = fromTop(spec, members, away::contains);
        if (!ring.alarms(Alarm.Kind.CORRUPT).isEmpty()) {
            var odd = odd(spec, state, members, ring);
            return odd.isEmpty()
                    ? NOBODY
                    : new Departing(
                            fromTop(spec, members, o -> odd.contains(o) || (all.contains(o) && down(o, spec, ring))),
                            Siblings.CORRUPT);
        }
        return RingHealth.problems(state, all).isEmpty()
                ? new Departing(all, Siblings.WELL)
                : new Departing(fromTop(spec, members, o -> all.contains(o) && down(o, spec, ring)), Siblings.UNWELL);
    }

    /// Members that get no new volume first, whether they can leave now or not.
    static SortedSet<Integer> notReplaced(
            EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        Set<Integer> away = away(spec, state, members, ring, now);
        return fromTop(spec, members, away::contains);
    }

    /// The highest ordinal, where its place need not be filled any more, and no other place lacks its
    /// member.
    public static Optional<Integer> insteadOf(EtcdClusterSpec spec, Membership.Replacing under, RingState ring) {
        int top = under.members() - 1;
        var formers = under.replacement().formers();
        boolean othersThere = formers.entrySet().stream()
                .filter(former -> former.getKey() != top)
                .map(Map.Entry::getValue)
                .map(Intent.Former::member)
                .allMatch(id -> ring.members().stream().anyMatch(m -> m.id().equals(id)));
        return top >= spec.size()
                        && formers.containsKey(top)
                        && othersThere
                        && under.missing().isEmpty()
                ? Optional.of(top)
                : Optional.empty();
    }

    /// Where all others are healthy, the other members to leave follow at once.
    public List<Operation> departures(EtcdClusterSpec spec, int members) {
        int last = siblings == Siblings.WELL ? spec.size() : ordinals.getFirst();
        var operations = new ArrayList<Operation>();
        for (int ordinal = members - 1; ordinal >= last; ordinal--) {
            operations.add(new ScaleIn(spec.ref(), ordinal, false, ordinals.headSet(ordinal + 1), siblings, false));
        }
        return operations;
    }

    private static SortedSet<Integer> away(
            EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        var gone = spec.declaration().handling().repairs().machineGoneAfter();
        var away = new TreeSet<>(
                new LostVolumes(state, members, ring, gone, now).found().keySet());
        away.addAll(new RestartEscalation(spec, state, ring, new TreeSet<>(away), now)
                .spent()
                .keySet());
        away.addAll(new MemberRequests(spec, members, ring).formers().keySet());
        away.addAll(new VolumeRequests(
                        spec, members, state.kube().claims().optional().orElseThrow())
                .claims()
                .keySet());
        away.addAll(odd(spec, state, members, ring));
        return away;
    }

    private static SortedSet<Integer> odd(EtcdClusterSpec spec, ClusterState state, int members, RingState ring) {
        var asked = new MemberRequests(spec, members, ring).formers();
        return new TreeSet<>(new DivergenceFindings(spec, state.kube(), ring, asked)
                .formers()
                .keySet());
    }

    private static boolean down(int ordinal, EtcdClusterSpec spec, RingState ring) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                .filter(m -> !m.answers())
                .isPresent();
    }

    private static SortedSet<Integer> fromTop(EtcdClusterSpec spec, int members, IntPredicate goes) {
        var fromTop = new TreeSet<Integer>();
        for (int ordinal = members - 1; ordinal >= spec.size() && goes.test(ordinal); ordinal--) {
            fromTop.add(ordinal);
        }
        return fromTop;
    }
}
