package io.github.etcdgitops.spec.auth;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// A user of a ring, and how it signs in.
public record User(String name, SortedSet<String> roles, SignIn signIn) {
    /// The user that etcd requires before authentication can be enabled. Ours alone.
    public static final String ROOT = "root";

    public User {
        roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    }

    /// The Secret that a generated password of this user is kept in.
    public static String secretOf(String ring, String user) {
        return ring + "-user-" + user;
    }

    /// Whether its password is generated.
    public boolean generated() {
        return signIn instanceof SignIn.Password(var secret, int _) && secret.isEmpty();
    }

    public sealed interface SignIn {
        /// With a password: that of `secret`, or one that is generated into the Secret `NAME-user-USER`. A
        /// higher `number` asks for another password.
        record Password(Optional<SecretRef> secret, int number) implements SignIn {}

        /// With a client certificate of the ring's CA whose common name is the user's name; it has no
        /// password.
        record Certificate() implements SignIn {}
    }

    /// An entry of a Secret in the ring's namespace.
    public record SecretRef(String name, String key) {}
}
