package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.value.WireName;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the journal keeps of a ring that is being deleted, was deleted, or is coming back, besides its
/// members, volumes and configuration, which it has in any case. `since` is when its deletion started.
/// `data` is the hash of its members' data after clients were cut off; empty before that was asked, and
/// where etcd offers no hash. `saved` is its last snapshot, read back and compared, where one was wanted.
/// `going` has the UIDs by ordinal of the claims that are about to be deleted, where these are not the
/// members'.
public record RetainedRing(
        String reason,
        Instant since,
        Optional<Data> data,
        Volumes volumes,
        Optional<Saved> saved,
        SortedMap<Integer, String> going)
        implements IntentMatter {
    public RetainedRing {
        going = Collections.unmodifiableSortedMap(new TreeMap<>(going));
    }

    /// etcd's own hash over all keys up to `revision`, comparable where `compactRevision` is the same.
    public record Data(long revision, long compactRevision, long hash) {}

    /// The ID of a backup, and the revision of the ring up to which it is complete.
    public record Saved(String backup, long revision) {}

    /// What happens to the claims that the journal names.
    public enum Volumes implements WireName {
        /// The ring comes back on them.
        KEPT,
        /// They are deleted once there is a snapshot of their data. Until then none of them is touched.
        DOOMED,
        /// They are being deleted: any of them may be gone already.
        GOING,
        /// None of them exists.
        DELETED;

        @Override
        public String wire() {
            return switch (this) {
                case KEPT -> "KEPT";
                case DOOMED -> "DOOMED";
                case GOING -> "GOING";
                case DELETED -> "DELETED";
            };
        }
    }

    /// All claims that are about to be deleted are the members'.
    public RetainedRing(String reason, Instant since, Optional<Data> data, Volumes volumes, Optional<Saved> saved) {
        this(reason, since, data, volumes, saved, new TreeMap<>());
    }

    /// For a ring whose volumes are retained.
    public RetainedRing(String reason, Instant since, Optional<Data> data) {
        this(reason, since, data, Volumes.KEPT, Optional.empty());
    }

    public RetainedRing with(Data found) {
        return new RetainedRing(reason, since, Optional.of(found), volumes, saved, going);
    }

    /// Clears the claims that are being deleted, unless some still are.
    public RetainedRing with(Volumes fate) {
        return new RetainedRing(reason, since, data, fate, saved, fate == Volumes.GOING ? going : new TreeMap<>());
    }

    public RetainedRing with(Saved snapshot) {
        return new RetainedRing(reason, since, data, volumes, Optional.of(snapshot), going);
    }

    /// These claims are deleted.
    public RetainedRing going(SortedMap<Integer, String> claims) {
        return new RetainedRing(reason, since, data, Volumes.GOING, saved, claims);
    }

    /// For a ring that is asked for again: its saved snapshot will no longer be complete.
    public RetainedRing backAgain() {
        return new RetainedRing(reason, since, data);
    }

    /// The same with the reason of another document.
    public RetainedRing because(String other) {
        return new RetainedRing(other, since, data, volumes, saved, going);
    }
}
