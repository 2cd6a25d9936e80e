package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/// Calls about users and roles, at the leader. A call without an answer is made again until the deadline:
/// every change may be made twice.
final class LeaderUsers {
    private final StepContext context;

    LeaderUsers(StepContext context) {
        this.context = context;
    }

    boolean enabled(Duration deadline) {
        return repeated(deadline, (users, route) -> users.enabled(route, StepContext.CALL));
    }

    AuthState read(Duration deadline) {
        return repeated(deadline, (users, route) -> users.read(route, StepContext.CALL));
    }

    boolean signsIn(String user, Password password, Duration deadline) {
        return repeated(deadline, (users, route) -> users.accepts(route, user, password.text(), StepContext.CALL));
    }

    /// 1 where the change was made, 0 where it was so already.
    int make(AuthChange change, Duration deadline) {
        return make(change, Optional.empty(), deadline);
    }

    int make(AuthChange change, Optional<Password> password, Duration deadline) {
        var outcome = repeated(
                deadline, (users, route) -> users.apply(route, change, password.map(Password::text), StepContext.CALL));
        return outcome == RingUsers.Outcome.DONE ? 1 : 0;
    }

    /// A user that is there already may have another password.
    int add(String user, Password password, Duration deadline) {
        return make(new AuthChange.AddUser(user), Optional.of(password), deadline) == 1
                ? 1
                : make(new AuthChange.ChangePassword(user), Optional.of(password), deadline);
    }

    private <T> T repeated(Duration deadline, BiFunction<RingUsers, Route, T> call) {
        var answer = new AtomicReference<Optional<T>>(Optional.empty());
        var last = new AtomicReference<GatewayException>();
        var missing = context.await(deadline, () -> {
            try {
                context.calls()
                        .throughLeader((etcd, route) -> answer.set(Optional.of(call.apply(etcd.users(), route))));
                return Optional.empty();
            } catch (GatewayException e) {
                if (e.kind() != GatewayException.Kind.UNREACHABLE && e.kind() != GatewayException.Kind.TIMEOUT) {
                    throw e;
                }
                last.set(e);
                return Optional.of(String.valueOf(e.getMessage()));
            }
        });
        if (missing.isPresent()) {
            throw last.get();
        }
        return answer.get().orElseThrow();
    }
}
