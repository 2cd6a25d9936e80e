package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What is on the volume of a member that does not answer, as it was found out once: on which claim, when,
/// and what came of it. `seen` is the pod that was there, by which shows whether it was started since. `odd`
/// are the members whose data it showed to be wrong, once the member is to start without etcd's comparison
/// because of that.
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
        /// What the volume says was agreed on ends at `revision`; of the last moment there may be more, of which
        /// the member had not written down that it was. `hash` is empty where etcd does not give it to
        /// everybody. `witness` where it was looked into to be compared with what the others have: then it is
        /// known to be no copy that a leader sent the member after it had data of its own.
        record Told(long revision, Optional<Hash> hash, boolean witness) implements Outcome {
            public Told(long revision, Optional<Hash> hash) {
                this(revision, hash, false);
            }
        }

        /// Nobody could tell, and why.
        record Unreadable(String why) implements Outcome {}
    }

    /// Over all keys at the revision that was told: etcd's own. Comparable where `compactRevision` is the
    /// same.
    public record Hash(long compactRevision, long value) {}

    /// The newest revision there is; empty where nobody could tell.
    public Optional<Long> revision() {
        return outcome instanceof Outcome.Told(long revision, var unused, var alsoUnused)
                ? Optional.of(revision)
                : Optional.empty();
    }
}
