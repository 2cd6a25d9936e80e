package io.github.etcdgitops.backup;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The backups at a location, from the names of its objects: one listing for all rings of an environment,
/// and no object is opened.
public final class BackupCatalog {
    /// After this time a backup without a manifest counts as unfinished; one that is still being written
    /// has none either.
    public static final Duration UNFINISHED = Duration.ofHours(24);

    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private BackupCatalog() {}

    /// The most objects that one listing reads, and the most backups that it keeps.
    public static final int MOST_OBJECTS = 500_000;

    public static final int MOST_BACKUPS = 100_000;

    public static SortedMap<ClusterRef, RingBackups> of(BackupStore store, String environment, Instant now) {
        return of(found(store, BackupKey.below(environment), now), now);
    }

    public static RingBackups of(BackupStore store, String environment, ClusterRef ring, Instant now) {
        return of(found(store, BackupKey.below(environment, ring), now), now).getOrDefault(ring, RingBackups.NONE);
    }

    /// Objects that belong to no backup are skipped; only their number is limited.
    private static Map<BackupKey, Files> found(BackupStore store, String prefix, Instant now) {
        var found = new HashMap<BackupKey, Files>();
        store.list(prefix, store.upTo(MOST_OBJECTS, prefix, entry -> {
            add(found, entry, now);
            if (found.size() > MOST_BACKUPS) {
                throw new GatewayException(
                        GatewayException.Kind.REJECTED,
                        false,
                        "listing " + store.title() + prefix + ": there are more than " + MOST_BACKUPS
                                + " backups. Give each policy a prefix of its own, or retain fewer backups");
            }
        }));
        return found;
    }

    static SortedMap<ClusterRef, RingBackups> of(Iterable<BackupStore.Entry> entries, Instant now) {
        var found = new HashMap<BackupKey, Files>();
        entries.forEach(entry -> add(found, entry, now));
        return of(found, now);
    }

    private static void add(Map<BackupKey, Files> found, BackupStore.Entry entry, Instant now) {
        BackupKey.parse(entry.key())
                .ifPresent(part -> found.computeIfAbsent(part.backup(), _ -> new Files(now))
                        .add(part.file(), entry.modified()));
    }

    private static SortedMap<ClusterRef, RingBackups> of(Map<BackupKey, Files> found, Instant now) {
        var backups = new TreeMap<ClusterRef, List<StoredBackup>>();
        var leftovers = new TreeMap<ClusterRef, List<BackupKey>>();
        found.forEach((key, files) -> files.backup(key)
                .ifPresentOrElse(
                        backup -> backups.computeIfAbsent(key.ring(), _ -> new ArrayList<>())
                                .add(backup),
                        () -> {
                            if (files.newest.plus(UNFINISHED).isBefore(now)) {
                                leftovers
                                        .computeIfAbsent(key.ring(), _ -> new ArrayList<>())
                                        .add(key);
                            }
                        }));
        var rings = new TreeMap<ClusterRef, RingBackups>();
        backups.forEach((ring, all) -> rings.put(ring, new RingBackups(all, leftovers.getOrDefault(ring, List.of()))));
        leftovers.forEach((ring, all) -> rings.putIfAbsent(ring, new RingBackups(List.of(), all)));
        return rings;
    }

    /// The files of one backup.
    private static final class Files {
        private final Instant now;
        private boolean manifest;
        private boolean snapshot;
        private boolean damaged;
        private Instant newest = Instant.MIN;
        private final Map<Instant, Boolean> drills = new TreeMap<>();

        Files(Instant now) {
            this.now = now;
        }

        void add(String file, Instant modified) {
            newest = modified.isAfter(newest) ? modified : newest;
            if (file.equals(BackupKey.MANIFEST)) {
                manifest = true;
            } else if (file.startsWith(SnapshotWriter.FILE)) {
                snapshot = true;
            } else if (file.equals(BackupKey.DAMAGED)) {
                damaged = true;
            } else if (file.startsWith(BackupKey.DRILL)) {
                BackupKey.time(file.substring(BackupKey.DRILL.length()))
                        .filter(time -> !early(time))
                        .ifPresent(time -> drills.put(time, file.endsWith("-passed.json")));
            }
        }

        /// A time in the future would otherwise count as the newest until then.
        private boolean early(Instant time) {
            return time.isAfter(now.plus(CLOCKS_DIFFER));
        }

        Optional<StoredBackup> backup(BackupKey key) {
            var results = drills.entrySet().stream()
                    .map(d -> new StoredBackup.Drill(d.getKey(), d.getValue()))
                    .toList();
            return manifest
                    ? BackupKey.time(key.id())
                            .map(taken -> new StoredBackup(key, taken, damaged || !snapshot || early(taken), results))
                    : Optional.empty();
        }
    }
}
