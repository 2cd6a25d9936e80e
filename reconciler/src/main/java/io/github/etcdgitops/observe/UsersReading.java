package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.RingState.Access;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BiFunction;

/// Reads the users and roles of a ring whose document or journal has any. Only planning reads them: etcd puts
/// each of these reads into the ring's log. Where nothing has changed since a moment that the journal knows, they
/// are those of the journal.
record UsersReading(VoterCall voters) {
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    /// One voter tells, the leader first where it is known: the answer comes from what the members have agreed
    /// on.
    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        if (!wanted(spec, state)) {
            return ring;
        }
        var noted = state.knownJournal().map(journal -> journal.past().data());
        return ring.withAccess(
                switch (ask(spec, state, ring, (users, route) -> access(users, route, ring.clusterId(), noted))) {
                    case Observed.Known<Access>(var access) -> access;
                    case Observed.Unknown<Access>(String reason, var cause) ->
                        new Access(Observed.unknown(reason, cause));
                });
    }

    private static Access access(RingUsers users, Route route, EtcdId cluster, Optional<Journal.KnownData> noted) {
        var status = users.status(route, DEADLINE);
        var now = status.flatMap(known -> users.moment(route, cluster, known));
        var unchanged = noted.filter(data -> now.isPresent() && data.seen().equals(now))
                .flatMap(Journal.KnownData::users)
                .map(Journal.Users::applied)
                .filter(applied ->
                        status.filter(s -> s.enabled() == applied.enabled()).isPresent());
        if (unchanged.isPresent()) {
            return new Access(Observed.known(unchanged.get()), RootPassword.ACCEPTED, now);
        }
        var reading = users.reading(route, cluster, status, DEADLINE);
        return new Access(Observed.known(reading.users()), reading.root(), reading.moment());
    }

    private static boolean wanted(EtcdClusterSpec spec, KubeState state) {
        return spec.auth().isPresent()
                || state.knownJournal()
                        .filter(journal -> journal.past().auth().isPresent())
                        .isPresent();
    }

    private <T> Observed<T> ask(
            EtcdClusterSpec spec, KubeState state, RingState ring, BiFunction<RingUsers, Route, T> question) {
        return ring.voters().stream()
                .filter(MemberState::answers)
                .min(Comparator.comparing(
                        voter -> ring.leader().filter(voter.id()::equals).isEmpty()))
                .map(voter ->
                        voters.ask(spec.ref(), state, voter, (etcd, route) -> question.apply(etcd.users(), route)))
                .orElseGet(() -> Observed.unknown("no member that votes answers"));
    }
}
