package io.github.etcdgitops.spec.auth;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Glob;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the documents ask of a ring's authentication. Without `enabled`, users and roles are made, and clients
/// need none of them.
/// A higher `rootNumber` asks for another password of `root`.
/// `exclusive` says that users and roles which others have made are removed; otherwise they stay. The user
/// and the role `root` are in neither map: they are ours. `documents` define some of the users and roles;
/// the ring's own document defines the others. Users and roles whose names match one of `held` stay as they are,
/// where no document has them: whose documents they are is clear, and not all of these are valid.
public record Auth(
        boolean enabled,
        boolean exclusive,
        int rootNumber,
        SortedMap<String, User> users,
        SortedMap<String, SortedSet<Grant>> roles,
        List<AuthDocument> documents,
        List<Glob> held) {
    /// The number of a password that no document asks to change.
    public static final int FIRST = 1;

    /// Quotes, brackets and indentation around one text.
    private static final int ENTRY = 40;

    public Auth {
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        var copy = new TreeMap<String, SortedSet<Grant>>();
        roles.forEach((name, grants) -> copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(grants))));
        roles = Collections.unmodifiableSortedMap(copy);
        documents = List.copyOf(documents);
        held = List.copyOf(held);
    }

    /// The same with other users and roles.
    public Auth with(SortedMap<String, User> others, SortedMap<String, SortedSet<Grant>> otherRoles) {
        return new Auth(enabled, exclusive, rootNumber, others, otherRoles, documents, held);
    }

    public Auth holding(List<Glob> names) {
        return new Auth(enabled, exclusive, rootNumber, users, roles, documents, names);
    }

    public boolean holds(String name) {
        return held.stream().anyMatch(pattern -> pattern.matches(name));
    }

    /// Whether members of this release know users without a password and signed tokens.
    public static boolean isIn(EtcdVersion version) {
        return version.atLeast(3, 4, 0);
    }

    public boolean isEmpty() {
        return users.isEmpty() && roles.isEmpty();
    }

    /// How many bytes the users and roles take in the ring's journal, at most. A journal of more than half a
    /// mebibyte would not be read any more.
    public long weight() {
        long weight = 0;
        for (var user : users.values()) {
            weight += 3 * (ENTRY + bytes(user.name()));
            weight +=
                    user.roles().stream().mapToLong(role -> ENTRY + bytes(role)).sum();
        }
        for (var role : roles.entrySet()) {
            weight += ENTRY + bytes(role.getKey());
            weight += role.getValue().stream()
                    .mapToLong(grant -> 3 * ENTRY
                            + bytes(grant.keys().from())
                            + bytes(grant.keys().end()))
                    .sum();
        }
        return weight;
    }

    /// In JSON a control character takes six bytes, and any other of these at most two.
    private static long bytes(String text) {
        return text.chars().mapToLong(c -> c < ' ' ? 6 : 2).sum();
    }

    /// Where the ring's own document defines every user and role, and asks for no other password of `root`.
    public Auth(
            boolean enabled,
            boolean exclusive,
            SortedMap<String, User> users,
            SortedMap<String, SortedSet<Grant>> roles) {
        this(enabled, exclusive, FIRST, users, roles, List.of(), List.of());
    }
}
