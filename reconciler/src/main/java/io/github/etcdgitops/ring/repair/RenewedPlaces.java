package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.NextPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What new members start from during a roll: at and above the partition from the new template, below it
/// from the former one.
///
/// An upgrade to the next minor version is an exception. etcd raises the cluster version as soon as no
/// member runs the former minor version, and then admits no member of it. If the last members of it are
/// replaced, the new ones start from the new template. Before a replacement the roll itself puts it back in
/// place, if it was being rolled back; within one, the replacement does.
public record RenewedPlaces(ClusterState state, RingState ring, NextPod next) {
    /// The same places, each with the template of its new member.
    public static SortedMap<Integer, ReplacementSlot> of(
            ClusterState state, RingState ring, SortedMap<Integer, ReplacementSlot> places) {
        var next = next(state);
        return next.filter(NextPod::foreign).isPresent() ? ours(places) : rolled(next, state, ring, places);
    }

    private static SortedMap<Integer, ReplacementSlot> ours(SortedMap<Integer, ReplacementSlot> places) {
        var renewed = new TreeMap<>(places);
        renewed.replaceAll((_, place) -> place.from(ReplacementSlot.Template.OURS));
        return renewed;
    }

    private static SortedMap<Integer, ReplacementSlot> rolled(
            Optional<NextPod> pods, ClusterState state, RingState ring, SortedMap<Integer, ReplacementSlot> places) {
        return pods.filter(
                        next -> !next.former() || next.journal().replacement().isPresent())
                .map(next -> new RenewedPlaces(state, ring, next))
                .filter(all -> all.raised(places))
                .map(all -> all.renewed(places))
                .orElse(places);
    }

    /// Whether new members at these places would make it impossible to roll back the ring.
    public static boolean raise(ClusterState state, RingState ring, SortedMap<Integer, ReplacementSlot> places) {
        return next(state)
                .filter(next -> new RenewedPlaces(state, ring, next).raised(places))
                .isPresent();
    }

    /// The configuration of new members; where they differ, that of the first one.
    public static MemberSettings configuration(ClusterState state, SortedMap<Integer, ReplacementSlot> places) {
        var next = next(state).orElseThrow();
        int first = places.firstKey();
        boolean renewed = Optional.ofNullable(places.get(first))
                .filter(p -> p.template() == ReplacementSlot.Template.ROLLED
                        || p.template() == ReplacementSlot.Template.RESUMED)
                .isPresent();
        return renewed ? next.journal().roll().orElseThrow().target() : next.configuration(first);
    }

    private static Optional<NextPod> next(ClusterState state) {
        var journal = state.kube().knownJournal();
        return state.kube().knownSet().flatMap(set -> journal.map(known -> new NextPod(set, known)));
    }

    /// Whether no member of the former minor version stays.
    private boolean raised(SortedMap<Integer, ReplacementSlot> places) {
        return next.journal()
                        .roll()
                        .filter(roll -> next.journal()
                                .applied()
                                .version()
                                .isOlderMinorThan(roll.target().version()))
                        .isPresent()
                && ring.byOrdinal(state.ref()).keySet().stream()
                        .filter(ordinal -> stays(ordinal, Optional.ofNullable(places.get(ordinal))))
                        .noneMatch(this::ofFormerLine);
    }

    /// A new member that has started stays; one that has not may never start.
    private boolean stays(int ordinal, Optional<ReplacementSlot> place) {
        return switch (place.map(ReplacementSlot::former).orElse(Standing.REMOVED)) {
            case REMOVED -> true;
            case COMING ->
                Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal))
                        .filter(MemberState::answers)
                        .isPresent();
            case SERVING, DOWN -> false;
        };
    }

    /// For a member whose running version is unknown, the pod shows it.
    private boolean ofFormerLine(int ordinal) {
        var former = next.journal().applied().version();
        return Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal))
                .flatMap(member -> member.status().optional())
                .map(status -> status.version().isSameMinorAs(former))
                .orElseGet(() -> state.kube()
                        .pod(ordinal)
                        .filter(pod ->
                                !pod.revision().equals(next.set().rollout().currentRevision()))
                        .isEmpty());
    }

    private SortedMap<Integer, ReplacementSlot> renewed(SortedMap<Integer, ReplacementSlot> places) {
        var serving = serving(places);
        var left = new TreeSet<>(serving);
        left.removeIf(ordinal -> !ofFormerLine(ordinal));
        var order = new ArrayList<>(places.keySet());
        order.removeAll(serving);
        order.addAll(serving);
        var renewed = new TreeMap<>(places);
        var template = next.former() ? ReplacementSlot.Template.RESUMED : ReplacementSlot.Template.ROLLED;
        boolean former = false;
        for (int ordinal : order) {
            left.remove(ordinal);
            boolean last = left.isEmpty() && !former;
            if (!next.isNew(ordinal) && last) {
                renewed.computeIfPresent(ordinal, (_, place) -> place.from(template));
            }
            former |= !next.isNew(ordinal) && !last;
        }
        return renewed;
    }

    private static List<Integer> serving(SortedMap<Integer, ReplacementSlot> places) {
        return places.entrySet().stream()
                .filter(place -> place.getValue().former() == Standing.SERVING)
                .map(Map.Entry::getKey)
                .toList();
    }
}
