package io.github.etcdgitops.observe;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;

/// Asks for keys of etcd's v2 API where a ring is about to leave 3.3, the last version whose members serve that
/// API by themselves. Only planning asks.
record V2KeysReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    /// One voter on 3.3 tells: its answer comes from what the members have agreed on. Unknown where it does not.
    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        return wanted(spec, state)
                ? ring.voters().stream()
                        .filter(V2KeysReading::serves)
                        .findFirst()
                        .flatMap(voter -> voters.ask(
                                        spec.ref(), state, voter, (etcd, route) -> etcd.hasV2Keys(route, DEADLINE))
                                .optional())
                        .map(ring::withV2Keys)
                        .orElse(ring)
                : ring;
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
