package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What was done so far about members that do not come up, by ordinal, and when a member was replaced last.
/// `inspected` is what was found on their volumes. It stands in the journal: a run that forgot it would
/// begin anew each time, and what was only looked at is no try.
public record Tries(
        SortedMap<Integer, Tried> members, Optional<Instant> replaced, SortedMap<Integer, Inspection> inspected) {
    public static final Tries NONE = new Tries(new TreeMap<>(), Optional.empty());

    /// So many pods of this member were deleted for it to start anew, the last of them `pod`, by its UID.
    public record Tried(EtcdId member, int count, Instant last, String pod) {}

    public Tries {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        inspected = Collections.unmodifiableSortedMap(new TreeMap<>(inspected));
    }

    public Tries(SortedMap<Integer, Tried> members, Optional<Instant> replaced) {
        this(members, replaced, new TreeMap<>());
    }

    public Tries with(int ordinal, Tried tried) {
        var more = new TreeMap<>(members);
        more.put(ordinal, tried);
        return new Tries(more, replaced, inspected);
    }

    public Tries with(int ordinal, Inspection inspection) {
        var more = new TreeMap<>(inspected);
        more.put(ordinal, inspection);
        return new Tries(members, replaced, more);
    }

    /// Whoever comes in the place of these begins anew.
    public Tries replaced(Iterable<Integer> ordinals, Instant when) {
        var fewer = new TreeMap<>(members);
        var unknown = new TreeMap<>(inspected);
        for (int ordinal : ordinals) {
            fewer.remove(ordinal);
            unknown.remove(ordinal);
        }
        return new Tries(fewer, Optional.of(when), unknown);
    }
}
