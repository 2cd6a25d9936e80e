package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Function;

/// Reads the users and roles of a ring whose document or journal has any. Only planning reads them: etcd puts
/// each of these reads into the ring's log.
record UsersReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    /// One voter tells, the leader first where it is known: the answer comes from what the members have agreed
    /// on.
    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        if (!wanted(spec, state)) {
            return ring;
        }
        var users = ask(spec, state, ring, calls -> calls.users().read(calls.route(), DEADLINE));
        return ring.withAccess(new RingState.Access(users, root(spec, state, ring, users)));
    }

    /// Without TLS, whoever has read the users has signed in with this password.
    private RootPassword root(EtcdClusterSpec spec, KubeState state, RingState ring, Observed<AuthState> users) {
        boolean open = users.optional().filter(AuthState::enabled).isPresent() && state.clientsSecured();
        return open
                ? ask(spec, state, ring, calls -> calls.users().rootPassword(calls.route(), DEADLINE))
                        .optional()
                        .orElse(RootPassword.UNASKED)
                : RootPassword.UNASKED;
    }

    private record Calls(RingUsers users, MemberAccess.Route route) {}

    private static boolean wanted(EtcdClusterSpec spec, KubeState state) {
        return spec.auth().isPresent()
                || state.knownJournal()
                        .filter(journal -> journal.past().auth().isPresent())
                        .isPresent();
    }

    private <T> Observed<T> ask(EtcdClusterSpec spec, KubeState state, RingState ring, Function<Calls, T> question) {
        return ring.voters().stream()
                .filter(MemberState::answers)
                .min(Comparator.comparing(
                        voter -> ring.leader().filter(voter.id()::equals).isEmpty()))
                .map(voter -> voters.ask(
                        spec.ref(), state, voter, (etcd, route) -> question.apply(new Calls(etcd.users(), route))))
                .orElseGet(() -> Observed.unknown("no member that votes answers"));
    }
}
