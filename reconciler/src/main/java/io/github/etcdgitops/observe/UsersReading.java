package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
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
record UsersReading(EtcdGateway etcd, MemberAccess access) {
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
                .map(voter -> ask(spec, state, voter))
                .orElseGet(() -> Observed.unknown("no member that votes answers"));
    }

    private Observed<AuthState> ask(EtcdClusterSpec spec, KubeState state, MemberState voter) {
        var ordinal = voter.ordinal(spec.ref());
        var ip = ordinal.flatMap(o -> state.pod(o)).flatMap(KubeState.PodState::ip);
        if (ip.isEmpty()) {
            return Observed.unknown("its pod has no address");
        }
        try (var route =
                access.open(spec.ref(), ordinal.orElseThrow(), ip.get(), Door.clients(state.clientsSecured()))) {
            return Observed.known(etcd.users().read(route, DEADLINE));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
