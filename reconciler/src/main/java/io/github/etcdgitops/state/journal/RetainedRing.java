package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.value.WireName;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is remembered of a ring that is being deleted, was deleted, or is coming back, besides its
/// members, volumes and configuration, which its journal has in any case. `since` is when its deletion
/// began. `data` is the hash of what its members had when their clients had been cut off; empty before
/// that was asked, and where etcd tells it to nobody. `saved` is the last snapshot of it, read back and
/// compared, where one was wanted. `going` has the UIDs by ordinal of the claims that are about to be deleted, where
/// these are others than the members'.
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

    /// The id of a backup, and the revision of the ring that it has everything of.
    public record Saved(String backup, long revision) {}

    /// What becomes of the claims that the journal names.
    public enum Volumes implements WireName {
        /// The ring comes back on them.
        KEPT,
        /// They go once there is a snapshot of what is on them. Until then none of them is touched.
        DOOMED,
        /// They are about to be deleted: any of them may be gone already.
        GOING,
        /// None of them is there.
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

    /// Of a ring whose volumes are kept.
    public RetainedRing(String reason, Instant since, Optional<Data> data) {
        this(reason, since, data, Volumes.KEPT, Optional.empty());
    }

    public RetainedRing with(Data found) {
        return new RetainedRing(reason, since, Optional.of(found), volumes, saved, going);
    }

    /// Without claims that are about to go, unless some are.
    public RetainedRing with(Volumes fate) {
        return new RetainedRing(reason, since, data, fate, saved, fate == Volumes.GOING ? going : new TreeMap<>());
    }

    public RetainedRing with(Saved snapshot) {
        return new RetainedRing(reason, since, data, volumes, Optional.of(snapshot), going);
    }

    /// These claims go.
    public RetainedRing going(SortedMap<Integer, String> claims) {
        return new RetainedRing(reason, since, data, Volumes.GOING, saved, claims);
    }

    /// Of a ring that is asked for again: what was saved of it will not be all of it.
    public RetainedRing backAgain() {
        return new RetainedRing(reason, since, data);
    }

    /// The same, as another document words it.
    public RetainedRing because(String other) {
        return new RetainedRing(other, since, data, volumes, saved, going);
    }
}
