package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.V2Use;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Asks for keys and clients of etcd's v2 API where a ring is about to leave 3.3, the last version whose members
/// serve that API by themselves. Only planning asks.
record V2UseReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        if (!wanted(spec, state)) {
            return ring;
        }
        var serving = ring.voters().stream().filter(V2UseReading::serves).toList();
        return ring.with(new V2Use(keys(spec.ref(), state, serving), writes(spec.ref(), state, serving)));
    }

    /// One voter on 3.3 tells: its answer comes from what the members have agreed on. Unknown where it does not.
    private Optional<Boolean> keys(ClusterRef ref, KubeState state, List<MemberState> serving) {
        return serving.stream()
                .findFirst()
                .flatMap(voter -> voters.ask(ref, state, voter, (etcd, route) -> etcd.hasV2Keys(route, DEADLINE))
                        .optional());
    }

    /// Each voter counts its own clients.
    private long writes(ClusterRef ref, KubeState state, List<MemberState> serving) {
        return serving.stream()
                .flatMap(voter -> voters
                        .ask(ref, state, voter, Door.METRICS, (etcd, metrics) -> etcd.v2Writes(metrics, DEADLINE))
                        .optional()
                        .stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static boolean serves(MemberState member) {
        return member.status()
                .optional()
                .filter(status -> !status.version().hasLearners())
                .isPresent();
    }

    private static boolean wanted(EtcdClusterSpec spec, KubeState state) {
        return state.knownJournal()
                .map(journal -> journal.applied().version())
                .filter(version -> !version.hasLearners()
                        && version.isOlderMinorThan(spec.server().version()))
                .isPresent();
    }
}
