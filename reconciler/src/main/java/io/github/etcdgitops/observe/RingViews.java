package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.state.value.Observed.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Builds the state of one ring from the members' answers. If members contradict each other, the ring
/// becomes Unknown: it may be split.
final class RingViews {
    private RingViews() {}

    static Observed<RingState> merge(ClusterRef ref, Map<Integer, Observed<View>> probes) {
        return merged(ref, heard(probes));
    }

    /// Leaves out members that answer us and that the ring works without: a member cut off from its peers
    /// may have an older list, and none of the later changes. It counts as not answering.
    private static Map<Integer, Observed<View>> heard(Map<Integer, Observed<View>> probes) {
        var following = new TreeMap<EtcdId, List<View>>();
        probes.values().stream()
                .flatMap(probe -> probe.optional().stream())
                .filter(RingViews::votes)
                .forEach(view -> view.status()
                        .leader()
                        .ifPresent(leader -> following
                                .computeIfAbsent(leader, _ -> new ArrayList<>())
                                .add(view)));
        var majority = following.values().stream()
                .filter(views -> views.size() >= Quorum.of(voters(newest(views))))
                .findFirst();
        var heard = new TreeMap<>(probes);
        majority.ifPresent(views -> heard.replaceAll((_, probe) -> probe.optional()
                        .filter(view -> votes(view) && view.status().leader().isEmpty())
                        .isPresent()
                ? Observed.unknown("it answers only the reconciler and has no leader, while " + views.size() + " of "
                        + voters(newest(views)) + " voters have one. Its peers cannot reach it")
                : probe));
        return heard;
    }

    private static boolean votes(View view) {
        return view.members().stream().anyMatch(m -> m.id().equals(view.self()) && !m.learner());
    }

    private static int voters(List<MemberState> members) {
        return (int) members.stream().filter(m -> !m.learner()).count();
    }

    private static Observed<RingState> merged(ClusterRef ref, Map<Integer, Observed<View>> probes) {
        var views = new TreeMap<Integer, View>();
        probes.forEach((ordinal, probe) -> probe.optional().ifPresent(v -> views.put(ordinal, v)));
        var lists = views.values().stream().filter(v -> !v.members().isEmpty()).toList();
        if (lists.isEmpty()) {
            return Observed.unknown(silence(ref, probes), views.isEmpty() ? cause(probes) : Cause.LEARNER_ALONE);
        }
        if (views.values().stream().map(View::clusterId).distinct().count() > 1) {
            return Observed.unknown("the members report different cluster IDs");
        }
        if (lists.stream().map(RingViews::seats).distinct().count() > 1) {
            return Observed.unknown("the members report different member lists");
        }
        var members = newest(lists);
        var statuses = statuses(views);
        var alarms = new TreeSet<Alarm>();
        views.values().forEach(v -> alarms.addAll(v.alarms()));
        var merged =
                members.stream().map(m -> withStatus(ref, m, statuses, probes)).toList();
        return Observed.known(new RingState(lists.getFirst().clusterId(), merged, List.copyOf(alarms)));
    }

    /// The same for a ring whose peer URLs are not ours: the pod that answers as a member gives its
    /// ordinal.
    static Observed<RingState> seated(ClusterRef ref, Map<Integer, Observed<View>> probes) {
        var seats = new TreeMap<EtcdId, Integer>();
        probes.forEach((ordinal, probe) -> probe.optional().ifPresent(v -> seats.put(v.self(), ordinal)));
        return merge(ref, probes)
                .map(ring -> new RingState(
                        ring.clusterId(),
                        ring.members().stream()
                                .map(m -> Optional.ofNullable(seats.get(m.id()))
                                        .map(m::seated)
                                        .orElse(m))
                                .toList(),
                        ring.alarms()));
    }

    private static Cause cause(Map<Integer, Observed<View>> probes) {
        return probes.values().stream().anyMatch(probe -> probe.isUnknownBecause(Cause.CLIENT_IDENTITY_GONE))
                ? Cause.CLIENT_IDENTITY_GONE
                : Cause.OTHER;
    }

    private static String silence(ClusterRef ref, Map<Integer, Observed<View>> probes) {
        if (probes.isEmpty()) {
            return "the ring has no pod to ask";
        }
        return "no member returned its member list; "
                + String.join(
                        "; ",
                        probes.entrySet().stream()
                                .map(e -> ref.podName(e.getKey()) + ": "
                                        + e.getValue().unknownReason().orElse("is a learner"))
                                .toList());
    }

    private record Seat(EtcdId id, List<String> peerUrls, boolean learner) {}

    /// The members of the ring. Each member publishes its own name and client URLs when it starts; until
    /// all have applied that, lists read at the same time differ in them.
    private static List<Seat> seats(View view) {
        return view.members().stream()
                .map(m -> new Seat(m.id(), m.peerUrls().stream().sorted().toList(), m.learner()))
                .sorted(Comparator.comparing(Seat::id))
                .toList();
    }

    /// The list of the member that has applied the most.
    private static List<MemberState> newest(List<View> lists) {
        return Collections.max(lists, Comparator.comparingLong(v -> v.status().appliedIndex())).members().stream()
                .sorted(Comparator.comparing(MemberState::id))
                .toList();
    }

    private static Map<EtcdId, MemberState.Status> statuses(Map<Integer, View> views) {
        var statuses = new TreeMap<EtcdId, MemberState.Status>();
        views.values().forEach(v -> statuses.put(v.self(), v.status()));
        return statuses;
    }

    private static MemberState withStatus(
            ClusterRef ref,
            MemberState member,
            Map<EtcdId, MemberState.Status> statuses,
            Map<Integer, Observed<View>> probes) {
        var status = statuses.get(member.id());
        Observed<MemberState.Status> observed = status != null
                ? Observed.known(status)
                : Observed.unknown(member.ordinal(ref)
                        .map(probes::get)
                        .flatMap(Observed::unknownReason)
                        .orElse("it has no pod, or its pod runs another member"));
        return new MemberState(
                member.id(), member.name(), member.peerUrls(), member.clientUrls(), member.learner(), observed);
    }
}
