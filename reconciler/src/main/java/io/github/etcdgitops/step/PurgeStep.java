package io.github.etcdgitops.step;

import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Steps by which the volumes go that were kept of a ring. No member runs by then, and none can start
/// again on what is deleted.
public sealed interface PurgeStep extends Step.OfDeletion {
    /// Journals that the volumes go, before any of them does: from here on any may be gone.
    /// `claims` are those that go, UID by ordinal.
    record BeginPurge(String reason, String operationId, SortedMap<Integer, String> claims) implements PurgeStep {
        public BeginPurge {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Deletes claims by their UIDs. Leaves one alone that is another by now. Cannot be taken back.
    record DeleteClaims(SortedMap<Integer, String> claims) implements PurgeStep {
        public DeleteClaims {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Waits until none of them is there.
    record AwaitClaimsGone(SortedMap<Integer, String> claims) implements PurgeStep {
        public AwaitClaimsGone {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Journals that the volumes are deleted, and that nothing is under way any more.
    record FinishPurge() implements PurgeStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case BeginPurge _, DeleteClaims _ -> Gate.EXPECTED;
            case AwaitClaimsGone _, FinishPurge _ -> Gate.NONE;
        };
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case BeginPurge _, DeleteClaims _, FinishPurge _ -> Duration.ofMinutes(2);
            case AwaitClaimsGone _ -> Duration.ofMinutes(5);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return ring;
    }

    @Override
    default Quorum during(RingModel before) {
        return before.quorum();
    }
}
