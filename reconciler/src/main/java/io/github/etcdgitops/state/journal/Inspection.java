package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The result of one inspection of the volume of a member that does not answer: which claim, when, and what
/// was found. `seen` is the pod at that time, which shows whether the member was started since. `odd` are
/// the members whose data the volume showed to be wrong, once the member is to start without etcd's
/// comparison because of that.
public record Inspection(String claimUid, Instant at, String seen, Outcome outcome, SortedSet<EtcdId> odd) {
    public Inspection {
        odd = Collections.unmodifiableSortedSet(new TreeSet<>(odd));
    }

    public Inspection(String claimUid, Instant at, String seen, Outcome outcome) {
        this(claimUid, at, seen, outcome, new TreeSet<>());
    }

    public Inspection showing(SortedSet<EtcdId> members) {
        return new Inspection(claimUid, at, seen, outcome, members);
    }

    public sealed interface Outcome {
        /// The agreed data on the volume ends at `revision`. There may be more from the last moment, which
        /// the member had not yet recorded as agreed. `hash` is empty where etcd does not offer it to all.
        /// `witness` where the inspection was made for a comparison with the others: then the data is
        /// certainly no copy that a leader sent the member after it had data of its own.
        record Told(long revision, Optional<Hash> hash, boolean witness) implements Outcome {
            public Told(long revision, Optional<Hash> hash) {
                this(revision, hash, false);
            }
        }

        /// The volume could not be read, and why.
        record Unreadable(String why) implements Outcome {}
    }

    /// etcd's own hash over all keys at the reported revision. Comparable where `compactRevision` is the
    /// same.
    public record Hash(long compactRevision, long value) {}

    /// The newest revision on the volume; empty where it is unknown.
    public Optional<Long> revision() {
        return outcome instanceof Outcome.Told(long revision, var unused, var alsoUnused)
                ? Optional.of(revision)
                : Optional.empty();
    }
}
