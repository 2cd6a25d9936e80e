package io.github.etcdgitops.state;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The part of a member's configuration file that decides how it starts. `incarnation` names its data
/// directory.
///
/// Only `Sealed` and `Unchecked` are safe to leave behind: etcd ignores the file while the data exists, and
/// refuses to start without data. `Founding` and `Joining` let a member with an empty disk start under its
/// ID, so they exist no longer than the step that needs them.
public sealed interface MemberConfig {
    String incarnation();

    /// First start of a new ring. `peers` maps ordinal to peer URL.
    record Founding(String incarnation, String token, SortedMap<Integer, String> peers) implements MemberConfig {
        public Founding {
            peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
        }
    }

    /// First start of a member that was added to a running ring; `peers` equals the member list.
    record Joining(String incarnation, SortedMap<Integer, String> peers) implements MemberConfig {
        public Joining {
            peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
        }
    }

    record Sealed(String incarnation) implements MemberConfig {}

    /// Sealed, and for now the member serves without comparing its data with its peers' (etcd's
    /// InitialCorruptCheck).
    record Unchecked(String incarnation) implements MemberConfig {}

    /// Whether it prevents the member from starting on an empty disk.
    default boolean sealed() {
        return switch (this) {
            case Sealed _, Unchecked _ -> true;
            case Founding _, Joining _ -> false;
        };
    }
}
