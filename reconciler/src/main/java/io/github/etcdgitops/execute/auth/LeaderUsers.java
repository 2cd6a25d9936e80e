package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/// Calls of one step about users and roles, at the leader. A call without an answer is made again on fresh
/// readings, for as long as `patience` says: every change may be made twice.
record LeaderUsers(StepContext context, Duration patience) {
    boolean enabled() {
        return answer((users, route) -> users.enabled(route, StepContext.CALL));
    }

    AuthState read() {
        return answer((users, route) -> users.read(route, StepContext.CALL));
    }

    boolean signsIn(String user, Password password) {
        return answer((users, route) -> users.accepts(route, user, password.text(), StepContext.CALL));
    }

    /// 1 where the change was made, 0 where it was so already.
    int make(AuthChange change) {
        return make(change, Optional.empty());
    }

    int make(AuthChange change, Optional<Password> password) {
        var outcome =
                answer((users, route) -> users.apply(route, change, password.map(Password::text), StepContext.CALL));
        return outcome == RingUsers.Outcome.DONE ? 1 : 0;
    }

    /// A user that is there already may have another password.
    int add(String user, Password password) {
        return make(new AuthChange.AddUser(user), Optional.of(password)) == 1
                ? 1
                : make(new AuthChange.ChangePassword(user), Optional.of(password));
    }

    /// The moment at which the ring has exactly these users and roles. Where that is not certain, every run reads
    /// them, so one attempt is enough.
    Optional<UsersRevision> momentOf(AuthState made) {
        var cluster = context.state().ring().optional().map(RingState::clusterId);
        var moment = new AtomicReference<>(Optional.<UsersRevision>empty());
        try {
            cluster.ifPresent(id ->
                    context.calls().throughLeader((etcd, route) -> moment.set(moment(etcd.users(), route, id, made))));
        } catch (GatewayException _) {
            return Optional.empty();
        }
        return moment.get();
    }

    private static Optional<UsersRevision> moment(RingUsers users, Route route, EtcdId cluster, AuthState made) {
        var status = users.status(route, StepContext.CALL);
        return status.map(_ -> users.reading(route, cluster, status, StepContext.CALL))
                .filter(found -> found.users().others().equals(made.others()))
                .flatMap(RingUsers.Reading::moment);
    }

    private <T> T answer(BiFunction<RingUsers, Route, T> call) {
        var answer = new AtomicReference<Optional<T>>(Optional.empty());
        var first = tried(call, answer);
        if (first.isPresent()) {
            var last = new AtomicReference<>(first.get());
            var missing = context.await(patience, () -> {
                var failure = tried(call, answer);
                failure.ifPresent(last::set);
                return failure.map(e -> String.valueOf(e.getMessage()));
            });
            if (missing.isPresent()) {
                throw last.get();
            }
        }
        return answer.get().orElseThrow();
    }

    /// Why there is no answer.
    private <T> Optional<GatewayException> tried(
            BiFunction<RingUsers, Route, T> call, AtomicReference<Optional<T>> answer) {
        try {
            context.calls().throughLeader((etcd, route) -> answer.set(Optional.of(call.apply(etcd.users(), route))));
            return Optional.empty();
        } catch (GatewayException e) {
            if (e.kind() != Kind.UNREACHABLE && e.kind() != Kind.TIMEOUT) {
                throw e;
            }
            return Optional.of(e);
        }
    }
}
