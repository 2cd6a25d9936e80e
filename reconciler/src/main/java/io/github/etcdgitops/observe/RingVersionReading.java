package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Comparator;

/// Asks for the cluster version while an upgrade to another minor version is under way: once etcd has
/// raised it, no member starts on the former minor version. Only planning asks; steps ask for themselves.
record RingVersionReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    /// The newest version that any voter reports: the others may not have learned of it yet. Unknown where
    /// no voter reports one.
    RingState of(ClusterRef ref, KubeState state, RingState ring) {
        return upgrading(state)
                ? ring.voters().stream()
                        .filter(MemberState::answers)
                        .flatMap(voter -> voters
                                .ask(
                                        ref,
                                        state,
                                        voter,
                                        Door.METRICS,
                                        (etcd, route) -> etcd.clusterVersion(route, DEADLINE))
                                .optional()
                                .stream())
                        .max(Comparator.naturalOrder())
                        .map(ring::with)
                        .orElse(ring)
                : ring;
    }

    private static boolean upgrading(KubeState state) {
        return state.knownJournal().stream().anyMatch(RingVersionReading::upgrades);
    }

    private static boolean upgrades(Journal journal) {
        return journal.roll()
                .filter(roll ->
                        !roll.target().version().isSameMinorAs(journal.applied().version()))
                .isPresent();
    }
}
