package io.github.etcdgitops.spec.auth;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the documents ask of a ring's authentication. Without `enabled`, authentication is to be disabled.
/// `exclusive` says that users and roles which others have made are removed; otherwise they stay. The user
/// and the role `root` are in neither map: they are ours. `documents` define some of the users and roles;
/// the ring's own document defines the others.
public record Auth(
        boolean enabled,
        boolean exclusive,
        SortedMap<String, User> users,
        SortedMap<String, SortedSet<Grant>> roles,
        List<AuthDocument> documents) {
    public Auth {
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        var copy = new TreeMap<String, SortedSet<Grant>>();
        roles.forEach((name, grants) -> copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(grants))));
        roles = Collections.unmodifiableSortedMap(copy);
        documents = List.copyOf(documents);
    }

    /// Where the ring's own document defines every user and role.
    public Auth(
            boolean enabled,
            boolean exclusive,
            SortedMap<String, User> users,
            SortedMap<String, SortedSet<Grant>> roles) {
        this(enabled, exclusive, users, roles, List.of());
    }
}
