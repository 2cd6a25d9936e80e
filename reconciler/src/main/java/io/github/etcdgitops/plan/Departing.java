package io.github.etcdgitops.plan;

import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.QuorumLoss;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The members from the top down to the wanted size that do not come back: their volumes are lost, or they do not
/// start.
/// Whoever is to leave is not replaced first.
///
/// A member below one that is well is replaced as any other: to remove the one that is well before it would cost
/// tolerance.
final class Departing {
    private Departing() {}

    /// Nobody where quorum is lost, where yet another member is not well, or where somebody has asked for another
    /// remedy.
    static SortedSet<Integer> of(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        if (spec.size() >= members || members < 2 || QuorumLoss.of(state).isPresent()) {
            return Collections.emptySortedSet();
        }
        var claims = state.kube().claims().optional().orElseThrow();
        var asked = new MemberRequests(spec, members, ring).formers();
        boolean otherwise = !asked.isEmpty()
                || !new VolumeRequests(spec, members, claims).claims().isEmpty()
                || !new Differences(spec, state.kube(), ring, asked).formers().isEmpty();
        var fromTop = fromTop(spec, members, away(spec, state, members, ring, now));
        return otherwise || !RingHealth.problems(state, fromTop).isEmpty() ? Collections.emptySortedSet() : fromTop;
    }

    /// The same once the departure of this ordinal was begun, which is one of them.
    static SortedSet<Integer> with(
            int ordinal, EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        var gone = new TreeSet<>(of(spec, state, members, ring, now));
        gone.add(ordinal);
        return gone;
    }

    private static SortedSet<Integer> away(
            EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        var gone = spec.declaration().handling().repairs().machineGoneAfter();
        var away = new TreeSet<>(
                new Losses(state, members, ring, gone, now).found().keySet());
        away.addAll(
                new Ladder(spec, state, ring, new TreeSet<>(away), now).spent().keySet());
        return away;
    }

    private static SortedSet<Integer> fromTop(EtcdClusterSpec spec, int members, SortedSet<Integer> away) {
        var fromTop = new TreeSet<Integer>();
        for (int ordinal = members - 1; ordinal >= spec.size() && away.contains(ordinal); ordinal--) {
            fromTop.add(ordinal);
        }
        return fromTop;
    }
}
