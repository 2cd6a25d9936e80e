package io.github.etcdgitops.state.backup;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A backup by the names of its objects: it has a manifest. Times are to the second.
public record StoredBackup(BackupKey key, Instant taken, boolean damaged, List<Drill> drills) {
    /// The part of a backup's ID after its time. Empty for scheduled backups.
    public static final String ON_REQUEST = "-once-";

    public static final String BY_HAND = "-manual";

    /// Taken right before a change that deletes something.
    public static final String BEFORE_CHANGE = "-change";

    /// The rest of a ring that had lost its quorum; the revision follows.
    public static final String WITHOUT_QUORUM = "-quorum-";

    /// Taken right before the ring was deleted together with its volumes.
    public static final String LAST = "-last";

    public static final Comparator<StoredBackup> BY_TIME =
            Comparator.comparing(StoredBackup::taken).thenComparing(b -> b.key().id());

    public StoredBackup {
        drills = List.copyOf(drills);
    }

    /// A drill of this backup.
    public record Drill(Instant at, boolean passed) {}

    public String id() {
        return key.id();
    }

    /// Verified when it was taken, and not found damaged since.
    public boolean verified() {
        return !damaged;
    }

    /// Whether this is the one-off backup that a document of that name requests.
    public boolean answers(String request) {
        return verified() && endsWith(ON_REQUEST + request);
    }

    /// Whether it has the data of a ring without quorum at that revision, which was its last one.
    public boolean saves(long revision) {
        return verified() && endsWith(WITHOUT_QUORUM + revision);
    }

    private boolean endsWith(String suffix) {
        return id().equals(BackupKey.stamp(taken) + suffix);
    }

    /// Why it was taken.
    public enum Purpose {
        SCHEDULE,
        CHANGE,
        /// A document or a person asked for it, or it is the rest of a ring without quorum, or the last one
        /// of a deleted ring. It stays until it is deleted by name.
        REQUEST
    }

    /// Decided by the end of its ID. A request may have any name, `before-the-change` as well, so requests
    /// are checked first.
    public Purpose purpose() {
        if (id().contains(ON_REQUEST)
                || id().contains(WITHOUT_QUORUM)
                || id().endsWith(BY_HAND)
                || id().endsWith(LAST)) {
            return Purpose.REQUEST;
        }
        return id().endsWith(BEFORE_CHANGE) ? Purpose.CHANGE : Purpose.SCHEDULE;
    }

    public static Optional<StoredBackup> newest(List<StoredBackup> backups) {
        return backups.stream().filter(StoredBackup::verified).max(BY_TIME);
    }
}
