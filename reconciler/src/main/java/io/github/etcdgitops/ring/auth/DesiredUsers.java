package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The users and roles that documents ask for, as etcd and the journal tell them.
public final class DesiredUsers {
    private DesiredUsers() {}

    /// With the users and roles that stay as they are, as the journal has them. A role that is gone is none of theirs
    /// any more.
    static Auth complete(Auth asked, Optional<Journal.Users> known) {
        if (asked.held().isEmpty() || known.isEmpty()) {
            return asked;
        }
        var left = known.get().applied().others();
        var roles = new TreeMap<>(asked.roles());
        left.roles().forEach((name, grants) -> {
            if (asked.holds(name)) {
                roles.putIfAbsent(name, grants);
            }
        });
        var users = new TreeMap<>(asked.users());
        left.users().forEach((name, had) -> {
            if (asked.holds(name)) {
                var has = new TreeSet<>(had);
                has.retainAll(roles.keySet());
                users.putIfAbsent(name, new User(name, has, signIn(name, known.get())));
            }
        });
        return asked.with(users, roles);
    }

    private static SignIn signIn(String user, Journal.Users known) {
        return Optional.ofNullable(known.passwords().get(user))
                .<SignIn>map(number -> new SignIn.Password(Optional.empty(), number))
                .orElseGet(SignIn.Certificate::new);
    }

    /// `root` is among the users once authentication is enabled.
    public static AuthState state(Auth auth) {
        var users = new TreeMap<String, SortedSet<String>>();
        auth.users().forEach((name, user) -> users.put(name, user.roles()));
        if (auth.enabled()) {
            users.put(User.ROOT, new TreeSet<>(List.of(User.ROOT)));
        }
        return new AuthState(auth.enabled(), users, auth.roles());
    }

    static SortedMap<String, SignIn.Password> passwords(Auth auth) {
        var passwords = new TreeMap<String, SignIn.Password>();
        auth.users().forEach((name, user) -> {
            if (user.signIn() instanceof SignIn.Password password) {
                passwords.put(name, password);
            }
        });
        return passwords;
    }

    /// The number that asked for the password that `root` has.
    static int rootNumber(Optional<Journal.Users> known) {
        return known.map(k -> k.passwords().getOrDefault(User.ROOT, Auth.FIRST)).orElse(Auth.FIRST);
    }

    /// Before anything is made.
    static Journal.Users begun(Optional<Journal.Users> known) {
        return known.orElseGet(() -> new Journal.Users(AuthState.NONE, new TreeMap<>(), Optional.empty()));
    }

    /// When a user last got a password, where `made` are the users at the time `now`.
    public static Optional<Instant> passwordsAt(Journal.KnownData former, Journal.Users made, Instant now) {
        var had = former.users().map(Journal.Users::passwords).orElseGet(TreeMap::new);
        boolean given = made.passwords().entrySet().stream()
                .anyMatch(entry -> !entry.getValue().equals(had.get(entry.getKey())));
        return given ? Optional.of(now.truncatedTo(ChronoUnit.SECONDS)) : former.passwordsAt();
    }

    /// Once they are made. A user that was there before keeps its password, whatever number the documents ask
    /// for.
    public static Journal.Users noted(Auth auth, Optional<Journal.Users> known, Optional<UserSecrets> secrets) {
        var numbers = new TreeMap<String, Integer>();
        passwords(auth).forEach((user, password) -> {
            var former = known.flatMap(k -> Optional.ofNullable(k.passwords().get(user)));
            numbers.put(user, former.orElse(password.number()));
        });
        known.flatMap(k -> Optional.ofNullable(k.passwords().get(User.ROOT)))
                .ifPresent(number -> numbers.put(User.ROOT, number));
        return new Journal.Users(state(auth), numbers, secrets);
    }
}
