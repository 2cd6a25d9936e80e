package io.github.etcdgitops.state.auth;

import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.User;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A ring's users with their roles, and its roles with their grants, `root` included. They exist also while
/// authentication is not enabled.
public record AuthState(
        boolean enabled, SortedMap<String, SortedSet<String>> users, SortedMap<String, SortedSet<Grant>> roles) {
    /// A ring that never had a user.
    public static final AuthState NONE = new AuthState(false, new TreeMap<>(), new TreeMap<>());

    public AuthState {
        users = frozen(users);
        roles = frozen(roles);
    }

    /// The same without `root`, which is ours.
    public AuthState others() {
        var ofUsers = new TreeMap<>(users);
        ofUsers.remove(User.ROOT);
        var ofRoles = new TreeMap<>(roles);
        ofRoles.remove(User.ROOT);
        return new AuthState(enabled, ofUsers, ofRoles);
    }

    /// The same users and roles without authentication, and without `root`, which serves nobody then.
    public AuthState disabled() {
        var others = new TreeMap<>(users);
        others.remove(User.ROOT);
        return new AuthState(false, others, roles);
    }

    private static <T> SortedMap<String, SortedSet<T>> frozen(SortedMap<String, SortedSet<T>> sets) {
        var copy = new TreeMap<String, SortedSet<T>>();
        sets.forEach((name, set) -> copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(set))));
        return Collections.unmodifiableSortedMap(copy);
    }
}
