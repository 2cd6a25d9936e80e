package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The members that the run works on, by ID: those seen when it took the Lease, and those that its own
/// steps have added since.
///
/// If a member was removed and added again in between, it has the planned ordinal and another ID: the plan
/// does not apply to it.
record Identity(Optional<EtcdId> cluster, SortedMap<Integer, EtcdId> members) {
    Identity {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    static Identity of(ClusterState state) {
        return new Identity(clusterId(state), ids(state));
    }

    /// The known members after a successful step that turns `before` into `after`; `fresh` was read after
    /// it. Where no member is left, another ring may follow.
    Identity after(RingModel before, RingModel after, ClusterState fresh) {
        var was = ordinals(before);
        var is = ordinals(after);
        if (was.equals(is)) {
            return this;
        }
        if (was.isEmpty()) {
            return of(fresh);
        }
        if (is.isEmpty()) {
            return new Identity(Optional.empty(), new TreeMap<>());
        }
        var known = new TreeMap<>(members);
        known.keySet().removeIf(ordinal -> was.contains(ordinal) && !is.contains(ordinal));
        is.removeAll(was);
        ids(fresh).forEach((ordinal, id) -> {
            if (is.contains(ordinal)) {
                known.put(ordinal, id);
            }
        });
        return new Identity(cluster, known);
    }

    private static Set<Integer> ordinals(RingModel ring) {
        var all = new TreeSet<>(ring.voters());
        all.addAll(ring.learners());
        return all;
    }

    /// What has changed. It does not report members that came or went: the plan's own prediction covers
    /// those.
    Optional<String> differs(ClusterState fresh) {
        var now = clusterId(fresh);
        if (cluster.isPresent() && !cluster.equals(now)) {
            return Optional.of("the cluster ID was " + cluster.get() + ", is "
                    + now.map(EtcdId::toString).orElse("unknown"));
        }
        var ids = ids(fresh);
        return members.entrySet().stream()
                .filter(known -> ids.containsKey(known.getKey()))
                .filter(known -> !Objects.equals(ids.get(known.getKey()), known.getValue()))
                .findFirst()
                .map(known -> fresh.ref().podName(known.getKey()) + " was member " + known.getValue() + ", is "
                        + ids.get(known.getKey()));
    }

    private static Optional<EtcdId> clusterId(ClusterState state) {
        return state.ring().optional().map(ring -> ring.clusterId());
    }

    private static SortedMap<Integer, EtcdId> ids(ClusterState state) {
        var ids = new TreeMap<Integer, EtcdId>();
        state.ring()
                .optional()
                .ifPresent(ring ->
                        ring.byOrdinal(state.ref()).forEach((ordinal, member) -> ids.put(ordinal, member.id())));
        return ids;
    }
}
