package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The changes to the Secrets of users, computed from the journal: no Secret is read for it. The Secrets of the
/// `written` users may have outdated connection details. The `removed` users no longer sign in with the passwords
/// in their Secrets.
public record SecretChanges(
        String connection, SortedSet<String> written, SortedSet<String> removed, Optional<UserSecrets> after) {
    private static final int DIGITS = 16;

    public SecretChanges {
        written = Collections.unmodifiableSortedSet(new TreeSet<>(written));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    }

    /// The digest of what decides how clients connect: whether they must use TLS, and the CA where they may.
    /// The name of the Service never changes.
    public static String connection(Journal journal) {
        var clients = journal.applied().transport().client();
        String authority = journal.authority().filter(_ -> clients.secured()).orElse("");
        return Digests.name((clients.plain() ? "http\n" : "https\n") + authority, DIGITS);
    }

    /// A user that took its password from a Secret of ours, and takes it from another one now, keeps the
    /// former Secret until its password is changed.
    public static SecretChanges of(Auth wanted, Optional<Journal.Users> known, String connection) {
        var had = known.flatMap(Journal.Users::secrets);
        var noted = had.<SortedSet<String>>map(UserSecrets::users).orElseGet(TreeSet::new);
        var generated = new TreeSet<String>();
        var elsewhere = new TreeSet<String>();
        wanted.users().forEach((name, user) -> {
            if (user.generated()) {
                generated.add(name);
            } else if (noted.contains(name) && user.signIn() instanceof SignIn.Password) {
                elsewhere.add(name);
            }
        });
        // Whoever is made writes the Secret with the user.
        var written = new TreeSet<>(generated);
        written.retainAll(known.map(k -> k.passwords().keySet()).orElseGet(TreeSet::new));
        if (had.filter(h -> h.connection().equals(connection)).isPresent()) {
            written.removeAll(noted);
        }
        var removed = new TreeSet<>(noted);
        removed.removeAll(generated);
        removed.removeAll(elsewhere);
        var left = new TreeSet<>(generated);
        left.addAll(elsewhere);
        return new SecretChanges(connection, written, removed, noted(connection, left));
    }

    private static Optional<UserSecrets> noted(String connection, SortedSet<String> users) {
        return Optional.of(new UserSecrets(connection, users))
                .filter(secrets -> !secrets.users().isEmpty());
    }

    boolean none() {
        return written.isEmpty() && removed.isEmpty();
    }

    /// After the users: those that are gone must not have lost their Secrets before.
    List<Step> steps() {
        var steps = new ArrayList<Step>();
        if (!written.isEmpty()) {
            steps.add(new AuthStep.WriteSecrets(written));
        }
        if (!removed.isEmpty()) {
            steps.add(new AuthStep.RemoveSecrets(removed));
        }
        return steps;
    }

    /// Those of our Secrets that are of no use once these users have their passwords from elsewhere.
    SortedSet<String> replaced(Auth wanted, Set<String> users) {
        var replaced = new TreeSet<String>();
        after.ifPresent(secrets -> secrets.users().stream()
                .filter(users::contains)
                .filter(name -> Optional.ofNullable(wanted.users().get(name))
                        .filter(User::generated)
                        .isEmpty())
                .forEach(replaced::add));
        return replaced;
    }

    static Optional<UserSecrets> without(Optional<UserSecrets> noted, SortedSet<String> users) {
        return noted.flatMap(secrets -> {
            var left = new TreeSet<>(secrets.users());
            left.removeAll(users);
            return noted(secrets.connection(), left);
        });
    }
}
