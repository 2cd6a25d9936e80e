package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Users and roles for tests.
public final class Users {
    public static final Grant READ_APP = new Grant(Access.READ, KeyRange.prefix("/app/"));
    public static final Grant ALL_APP = new Grant(Access.READWRITE, KeyRange.prefix("/app/"));
    /// How clients connect without TLS.
    public static final String PLAIN = Digests.name("http\n", 16);

    public static final User.SignIn PASSWORD = password(1);
    public static final User.SignIn CERTIFICATE = new User.SignIn.Certificate();

    /// One user who reads.
    public static final Auth APP =
            auth(false, List.of(user("app", PASSWORD, "reader")), Map.of("reader", List.of(READ_APP)));

    private Users() {}

    public static User.SignIn password(int number) {
        return new User.SignIn.Password(Optional.empty(), number);
    }

    public static SortedSet<String> names(String... names) {
        return new TreeSet<>(List.of(names));
    }

    public static User user(String name, User.SignIn signIn, String... roles) {
        return new User(name, names(roles), signIn);
    }

    public static Auth auth(boolean exclusive, List<User> users, Map<String, List<Grant>> roles) {
        var byName = new TreeMap<String, User>();
        users.forEach(user -> byName.put(user.name(), user));
        return new Auth(true, exclusive, byName, grants(roles));
    }

    /// The same, with another password of `root`.
    public static Auth root(Auth auth, int number) {
        return new Auth(
                auth.enabled(), auth.exclusive(), number, auth.users(), auth.roles(), auth.documents(), auth.held());
    }

    /// The same, disabled.
    public static Auth off(Auth auth) {
        return new Auth(false, auth.exclusive(), auth.users(), auth.roles());
    }

    public static AuthState state(Map<String, SortedSet<String>> users, Map<String, List<Grant>> roles) {
        return new AuthState(true, new TreeMap<>(users), grants(roles));
    }

    private static SortedMap<String, SortedSet<Grant>> grants(Map<String, List<Grant>> roles) {
        var grants = new TreeMap<String, SortedSet<Grant>>();
        roles.forEach((role, list) -> grants.put(role, new TreeSet<>(list)));
        return grants;
    }

    /// What the journal says once these users and roles were made in a ring without TLS.
    public static Optional<Journal.Users> known(Auth auth) {
        return Optional.of(DesiredUsers.noted(
                auth, Optional.empty(), secrets(auth, Optional.empty()).after()));
    }

    /// What is to be done about Secrets in a ring without TLS.
    public static SecretChanges secrets(Auth auth, Optional<Journal.Users> known) {
        return SecretChanges.of(auth, known, PLAIN);
    }
}
