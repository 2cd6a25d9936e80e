package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.gateway.etcd.Escalation.Purpose;
import io.github.etcdgitops.gateway.etcd.Escalation.Visit;
import io.github.etcdgitops.gateway.etcd.users.ChangeCalls;
import io.github.etcdgitops.gateway.etcd.users.UserCalls;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import io.github.etcdgitops.state.auth.RootPassword;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Users and roles over etcd's own calls. Each call opens a connection to the one endpoint and closes it,
/// and more than one where many users are read.
final class JetcdUsers implements RingUsers {
    private final Escalation escalation;

    JetcdUsers(Escalation escalation) {
        this.escalation = escalation;
    }

    @Override
    public AuthState read(MemberAccess.Route route, Duration deadline) {
        String title = "reading the users at " + Endpoint.name(route);
        var visit = Visit.of(route, deadline, Purpose.UPKEEP);
        try {
            boolean enabled = ordinary(visit, calls -> calls.enabled());
            var users = bounded(title, "users", as(visit, UserCalls::users));
            var roles = bounded(title, "roles", as(visit, UserCalls::roles));
            return new AuthState(
                    enabled, each(visit, users, UserCalls::rolesOf), each(visit, roles, UserCalls::grantsOf));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading(title, e);
        }
    }

    private static List<String> bounded(String title, String what, List<String> names) {
        if (names.size() > MOST) {
            throw refused(title, names.size() + " " + what + ", and at most " + MOST + " are managed; remove some");
        }
        if (names.stream().anyMatch(name -> name.length() > RingUsers.LONGEST_NAME)) {
            throw refused(
                    title,
                    what + " with a name of more than " + RingUsers.LONGEST_NAME
                            + " characters; remove them with etcdctl");
        }
        return names;
    }

    private static GatewayException refused(String title, String what) {
        return new GatewayException(Kind.REJECTED, false, title + ": the ring has " + what);
    }

    private <T> SortedMap<String, T> each(
            Visit visit, List<String> names, BiFunction<UserCalls, List<String>, SortedMap<String, T>> read) {
        var all = new TreeMap<String, T>();
        for (int from = 0; from < names.size(); from += UserCalls.ON_ONE_CONNECTION) {
            var some = names.subList(from, Math.min(names.size(), from + UserCalls.ON_ONE_CONNECTION));
            all.putAll(as(visit, calls -> read.apply(calls, some)));
        }
        return all;
    }

    @Override
    public Optional<AuthStatus> status(MemberAccess.Route route, Duration deadline) {
        try {
            return as(Visit.of(route, deadline, Purpose.UPKEEP), UserCalls::status);
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("asking for the revision of users at " + Endpoint.name(route), e);
        }
    }

    @Override
    public boolean enabled(MemberAccess.Route route, Duration deadline) {
        var visit = Visit.of(route, deadline, Purpose.UPKEEP);
        try {
            return ordinary(visit, calls -> calls.enabled());
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("asking for authentication at " + Endpoint.name(route), e);
        }
    }

    @Override
    public Outcome apply(MemberAccess.Route route, AuthChange change, Optional<String> password, Duration deadline) {
        if (password.isPresent() != change.withPassword().isPresent()
                || password.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("a password is for who needs one, and not empty: " + change.text());
        }
        String title = "asking " + Endpoint.name(route) + " to " + change.text();
        var visit = Visit.of(route, deadline, Purpose.UPKEEP);
        try {
            return admitted(
                    visit,
                    channel -> new ChangeCalls(channel, visit.deadline()).make(title, change, password.orElse("")));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.changing(title, e);
        }
    }

    @Override
    public boolean accepts(MemberAccess.Route route, String user, String password, Duration deadline) {
        var visit = Visit.of(route, deadline, Purpose.UPKEEP);
        try {
            return ordinary(visit, calls -> calls.accepts(user, password));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("signing in the user " + user + " at " + Endpoint.name(route), e);
        }
    }

    @Override
    public RootPassword rootPassword(MemberAccess.Route route, Duration deadline) {
        try {
            return escalation.rootPassword(Visit.of(route, deadline, Purpose.UPKEEP));
        } catch (StatusRuntimeException e) {
            throw EtcdErrors.reading("signing in as root at " + Endpoint.name(route), e);
        }
    }

    @Override
    public Optional<String> rootSecret(MemberAccess.Route route) {
        return escalation.rootSecret(route);
    }

    private <T> T as(Visit visit, Function<UserCalls, T> question) {
        return admitted(visit, channel -> question.apply(new UserCalls(channel, visit.deadline())));
    }

    /// With the identity that the member requires.
    private <T> T admitted(Visit visit, Function<Channel, T> call) {
        return escalation.call(visit, endpoint -> endpoint.on(call));
    }

    /// For what every client may ask.
    private <T> T ordinary(Visit visit, Function<UserCalls, T> question) {
        return escalation.ordinary(visit).on(channel -> question.apply(new UserCalls(channel, visit.deadline())));
    }
}
