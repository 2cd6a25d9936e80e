package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Optional;

/// What is remembered of a ring that is being deleted, was deleted, or is coming back, besides its
/// members, volumes and configuration, which its journal has in any case. `since` is when its deletion
/// began. `data` is the hash of what its members had when their clients had been cut off; empty before
/// that was asked, and where etcd tells it to nobody.
public record Remains(String reason, Instant since, Optional<Data> data, Volumes volumes) implements Intent.Matter {
    /// etcd's own hash over all keys up to `revision`, comparable where `compactRevision` is the same.
    public record Data(long revision, long compactRevision, long hash) {}

    /// What becomes of the claims that the journal names.
    public enum Volumes {
        /// The ring comes back on them.
        KEPT,
        /// They are about to be deleted: any of them may be gone already.
        GOING,
        /// None of them is there.
        DELETED
    }

    /// Of a ring whose volumes are kept.
    public Remains(String reason, Instant since, Optional<Data> data) {
        this(reason, since, data, Volumes.KEPT);
    }

    public Remains with(Data found) {
        return new Remains(reason, since, Optional.of(found), volumes);
    }

    public Remains with(Volumes fate) {
        return new Remains(reason, since, data, fate);
    }

    /// The same, as another document words it.
    public Remains because(String other) {
        return new Remains(other, since, data, volumes);
    }
}
