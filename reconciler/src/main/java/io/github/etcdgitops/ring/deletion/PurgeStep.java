package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Steps that delete the retained volumes of a ring. No member runs by then, and none can start again on a
/// deleted volume.
public sealed interface PurgeStep extends Step {
    /// Journals that the volumes are being deleted, before any of them is: from here on any may be gone.
    /// `claims` are those to delete, UID by ordinal.
    record BeginPurge(String reason, String operationId, SortedMap<Integer, String> claims) implements PurgeStep {
        public BeginPurge {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("BeginPurge", Gate.EXPECTED).undo(DeleteStep.BY_DOCUMENT);
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the volumes of the deleted ring are deleted, and why: " + reason;
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.gone(fresh).or(() -> DeleteGate.neverSaved(fresh));
        }
    }

    /// Deletes claims by their UIDs. Skips a claim that has been recreated since. Cannot be undone.
    record DeleteClaims(SortedMap<Integer, String> claims) implements PurgeStep {
        public DeleteClaims {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("DeleteClaims", Gate.EXPECTED)
                    .undo("no: the data on the volumes is deleted; only backups are left");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete permanently the volume claims "
                    + String.join(
                            ", ",
                            claims.entrySet().stream()
                                    .map(c -> "of " + ref.podName(c.getKey()) + " (UID " + c.getValue() + ")")
                                    .toList());
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DeleteGate.going(fresh).or(() -> DeleteGate.gone(fresh));
        }
    }

    /// Waits until none of the claims exists.
    record AwaitClaimsGone(SortedMap<Integer, String> claims) implements PurgeStep {
        public AwaitClaimsGone {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("AwaitClaimsGone", Gate.NONE)
                    .undo("changes nothing")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until those claims are gone";
        }
    }

    /// Journals that the volumes are deleted, and that nothing is under way any more.
    record FinishPurge() implements PurgeStep {
        @Override
        public Facts facts() {
            return Facts.of("FinishPurge", Gate.NONE)
                    .undo("no: the data on the volumes is deleted; only backups are left");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record in the journal that the volumes are deleted";
        }
    }
}
