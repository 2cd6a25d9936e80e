package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Optional;

/// What is remembered of a ring that is being deleted, was deleted, or is coming back, besides its
/// members, volumes and configuration, which its journal has in any case. `since` is when its deletion began. `data` is
/// the hash of what its
/// members had when their clients had been cut off; empty before that was asked, and where etcd tells it
/// to nobody.
public record Remains(String reason, Instant since, Optional<Data> data) implements Intent.Matter {
    /// etcd's own hash over all keys up to `revision`, comparable where `compactRevision` is the same.
    public record Data(long revision, long compactRevision, long hash) {}

    public Remains with(Data found) {
        return new Remains(reason, since, Optional.of(found));
    }
}
