package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Optional;

/// What is on the volume of a member that does not answer, as it was found out once: on which claim, when,
/// and what came of it. `seen` is the pod that was there, by which shows whether it was started since.
public record Inspection(String claimUid, Instant at, String seen, Outcome outcome) {
    public sealed interface Outcome {
        /// What the volume says was agreed on ends at `revision`; of the last moment there may be more, of which
        /// the member had not written down that it was. `hash` is empty where etcd does not give
        /// it to everybody.
        record Told(long revision, Optional<Hash> hash) implements Outcome {}

        /// Nobody could tell, and why.
        record Unreadable(String why) implements Outcome {}
    }

    /// Over all keys at the revision that was told: etcd's own. Comparable where `compactRevision` is the
    /// same.
    public record Hash(long compactRevision, long value) {}

    /// The newest revision there is; empty where nobody could tell.
    public Optional<Long> revision() {
        return outcome instanceof Outcome.Told(long revision, var unused) ? Optional.of(revision) : Optional.empty();
    }
}
