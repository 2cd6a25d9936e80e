package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The backups that rings of the environment are now being started from, by their journals: retention keeps
/// them until the restore is done, whichever ring a backup is from. `unread` are rings whose journals could
/// not be read.
public record Restoring(List<SnapshotOrigin> origins, Set<ClusterRef> unread) {
    public static final Restoring NONE = new Restoring(List.of(), Set.of());

    public Restoring {
        origins = List.copyOf(origins);
        unread = Set.copyOf(unread);
    }

    public static Restoring of(Listing listed) {
        var origins = new ArrayList<SnapshotOrigin>();
        var unread = new HashSet<ClusterRef>();
        for (ClusterRef ref : listed.refs()) {
            var journal = listed.journal(ref);
            Observed.found(journal).flatMap(stored -> begins(stored.journal())).ifPresent(origins::add);
            if (!journal.isKnown()) {
                unread.add(ref);
            }
        }
        return new Restoring(origins, unread);
    }

    /// What the ring makes way for, or is being filled with.
    private static Optional<SnapshotOrigin> begins(Journal journal) {
        return journal.intent()
                .flatMap(Intent::recovery)
                .or(() -> journal.origin().filter(_ -> journal.isUnderWay(Intent.Kind.RESTORE)));
    }

    /// IDs of the ring's backups at the policy's location.
    Set<String> pinned(String environment, ClusterRef ring, BackupPolicy policy) {
        String below = policy.destination().title() + BackupKey.below(environment, ring);
        return origins.stream()
                .filter(origin -> origin.from().startsWith(below))
                .flatMap(origin -> origin.backup().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Whether a document starts a ring from some backup of `ring`, and it is unknown which one.
    boolean unclear(DesiredState desired, String environment, ClusterRef ring) {
        return desired.protection().restores().entrySet().stream()
                .filter(restore -> unread.contains(restore.getKey()))
                .map(restore -> restore.getValue().from())
                .anyMatch(from -> from instanceof From.Kept kept
                        && kept.environment().equals(environment)
                        && kept.ring().equals(ring));
    }
}
