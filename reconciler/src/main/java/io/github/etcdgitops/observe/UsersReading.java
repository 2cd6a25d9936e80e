package io.github.etcdgitops.observe;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Comparator;

/// Reads the users and roles of a ring whose document or journal has any. Only planning reads them: etcd puts
/// each of these reads into the ring's log.
record UsersReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    /// One voter tells, the leader first where it is known: the answer comes from what the members have agreed
    /// on.
    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        return wanted(spec, state) ? ring.withAuth(read(spec, state, ring)) : ring;
    }

    private static boolean wanted(EtcdClusterSpec spec, KubeState state) {
        return spec.auth().isPresent()
                || state.knownJournal()
                        .filter(journal -> journal.past().auth().isPresent())
                        .isPresent();
    }

    private Observed<AuthState> read(EtcdClusterSpec spec, KubeState state, RingState ring) {
        return ring.voters().stream()
                .filter(MemberState::answers)
                .min(Comparator.comparing(
                        voter -> ring.leader().filter(voter.id()::equals).isEmpty()))
                .map(voter -> voters.ask(
                        spec.ref(), state, voter, (etcd, route) -> etcd.users().read(route, DEADLINE)))
                .orElseGet(() -> Observed.unknown("no member that votes answers"));
    }
}
