package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
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
