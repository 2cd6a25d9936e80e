package io.github.etcdgitops.gateway;

import io.github.etcdgitops.gateway.RingUsers.Outcome;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import java.time.Duration;
import java.util.Optional;

/// One ring of one member for [RingUsersContract], real or faked. What has a body is short for calls through the port.
public interface UsersUnderTest extends AutoCloseable {
    Duration DEADLINE = Duration.ofSeconds(20);
    String PASSWORD = "open-sesame";

    EtcdVersion version();

    /// Whether users sign in with certificates, and with passwords otherwise.
    boolean secured();

    /// As root, whose password is [#PASSWORD].
    RingUsers users();

    /// As a client that is no user: without any identity, or with a certificate of another common name.
    RingUsers strangers();

    MemberAccess.Route route();

    /// Whether etcd lets the user do so with these keys, over a connection that stays open from one call to the next.
    boolean lets(String user, Access access, KeyRange keys);

    @Override
    void close();

    default Outcome make(AuthChange change) {
        return users().apply(
                        route(),
                        change,
                        Optional.of(PASSWORD).filter(_ -> change.withPassword().isPresent()),
                        DEADLINE);
    }

    default Outcome changePassword(String user, String password) {
        return users().apply(route(), new AuthChange.ChangePassword(user), Optional.of(password), DEADLINE);
    }

    default AuthState read() {
        return users().read(route(), DEADLINE);
    }

    default AuthStatus status() {
        return users().status(route(), DEADLINE).orElseThrow();
    }

    default boolean enabled() {
        return strangers().enabled(route(), DEADLINE);
    }

    default boolean accepts(String user, String password) {
        return strangers().accepts(route(), user, password, DEADLINE);
    }

    /// Who signs in as the ring's users do.
    default void addUser(String user) {
        make(secured() ? new AuthChange.AddUserWithoutPassword(user) : new AuthChange.AddUser(user));
    }

    default void addRoot() {
        make(new AuthChange.AddUser(User.ROOT));
        make(new AuthChange.AddRole(User.ROOT));
        make(new AuthChange.GrantRole(User.ROOT, User.ROOT));
    }

    default void enable() {
        addRoot();
        make(new AuthChange.Enable());
    }

    /// A user of a role of this name, who may do nothing yet.
    default void addUserOf(String role, String user) {
        addUser(user);
        make(new AuthChange.AddRole(role));
        make(new AuthChange.GrantRole(user, role));
    }

    default Outcome grant(String role, Access access, KeyRange keys) {
        return make(new AuthChange.GrantKeys(role, new Grant(access, keys)));
    }

    default Outcome revoke(String role, KeyRange keys) {
        return make(new AuthChange.RevokeKeys(role, keys));
    }
}
