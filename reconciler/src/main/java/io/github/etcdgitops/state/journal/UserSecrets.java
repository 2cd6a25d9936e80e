package io.github.etcdgitops.state.journal;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The Secrets with passwords of a ring's users that we have written, by the names of the users. `connection`
/// is the digest of what they say about how to connect.
public record UserSecrets(String connection, SortedSet<String> users) {
    public UserSecrets {
        users = Collections.unmodifiableSortedSet(new TreeSet<>(users));
    }
}
