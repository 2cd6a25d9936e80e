package io.github.etcdgitops.state.backup;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A backup as the names of its objects tell: it has a manifest. Times are to the second.
public record StoredBackup(BackupKey key, Instant taken, boolean damaged, List<Drill> drills) {
    /// What the id of a backup says after its time. Nothing for those of a schedule.
    public static final String ON_REQUEST = "-once-";

    public static final String BY_HAND = "-manual";

    /// Taken right before a change that takes something away.
    public static final String BEFORE_CHANGE = "-change";

    /// Of what was left of a ring that had lost its quorum; the revision follows.
    public static final String WITHOUT_QUORUM = "-quorum-";

    /// Taken right before the ring was deleted together with its volumes.
    public static final String LAST = "-last";

    public static final Comparator<StoredBackup> BY_TIME =
            Comparator.comparing(StoredBackup::taken).thenComparing(b -> b.key().id());

    public StoredBackup {
        drills = List.copyOf(drills);
    }

    /// A trial of restoring it.
    public record Drill(Instant at, boolean passed) {}

    public String id() {
        return key.id();
    }

    /// Taken and proven when it was taken, and not found to be damaged since.
    public boolean verified() {
        return !damaged;
    }

    /// Whether this is the one-off backup that a document of that name asks for.
    public boolean answers(String request) {
        return verified() && endsWith(ON_REQUEST + request);
    }

    /// Whether it has what a ring without a quorum had at that revision, after which there was no other.
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
        /// Somebody asked for it, by a document or by hand; or it is what was left of a ring, or the last of
        /// one that was deleted. It stays until
        /// somebody deletes it by name.
        REQUEST
    }

    /// By the end of its id. A request may have any name, `before-the-change` as well: it is looked for
    /// first.
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
