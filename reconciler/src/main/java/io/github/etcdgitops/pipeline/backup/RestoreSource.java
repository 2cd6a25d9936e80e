package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Finds the backup that a document names as the start of a ring. Reads only names and manifests, and the
/// snapshot itself when the restore starts.
public final class RestoreSource {
    private final BackupStores stores;
    private final List<BackupPolicy> policies;
    private final Instant now;

    public RestoreSource(BackupStores stores, List<BackupPolicy> policies, Instant now) {
        this.stores = stores;
        this.policies = policies;
        this.now = now;
    }

    /// `begun` is the snapshot that an earlier run has started the ring from: "the newest" is decided once.
    /// Until its data is in the volume (`loaded`), it is decided again where that snapshot no longer
    /// exists.
    public Restore of(RestoreRequest request, Optional<SnapshotOrigin> begun, boolean loaded) {
        var ours = begun.filter(origin -> origin.request().equals(request.name()));
        try {
            return switch (request.from()) {
                case From.Kept kept -> kept(request, kept, ours, loaded);
                case From.Bare(Destination object) -> bare(request, object);
            };
        } catch (GatewayException e) {
            return awaited(request, String.valueOf(e.getMessage()));
        }
    }

    private Restore kept(RestoreRequest request, From.Kept from, Optional<SnapshotOrigin> begun, boolean loaded) {
        var policy =
                policies.stream().filter(p -> p.name().equals(from.policy())).findFirst();
        if (policy.isEmpty()) {
            return awaited(request, "the BackupPolicy " + from.policy() + " does not exist or is invalid");
        }
        var place = policy.get().destination();
        try (var store = stores.open(place)) {
            var all = BackupCatalog.of(store, from.environment(), from.ring(), now)
                    .backups();
            String below = place.title() + BackupKey.below(from.environment(), from.ring());
            var decided = begun.filter(origin -> origin.from().startsWith(below))
                    .flatMap(SnapshotOrigin::backup)
                    .filter(was -> loaded || all.stream().anyMatch(b -> b.id().equals(was)));
            var id = from.backup().or(() -> decided);
            var several = id.isPresent() ? Optional.<String>empty() : several(all);
            if (several.isPresent()) {
                return awaited(request, several.get());
            }
            var chosen = id.isPresent()
                    ? all.stream().filter(b -> b.id().equals(id.get())).findFirst()
                    : StoredBackup.newest(all);
            if (chosen.isEmpty()) {
                return awaited(
                        request,
                        store.title() + " has no "
                                + id.map(i -> "backup " + i).orElse("verified backup") + " of " + from.ring()
                                + " of environment " + from.environment());
            }
            return chosen.get().damaged()
                    ? awaited(request, "backup " + chosen.get().id() + " was found to be damaged")
                    : wanted(request, place, store, chosen.get());
        }
    }

    /// The newest of all may be from a ring that was created empty under the same name: only the owner
    /// knows which ring is meant.
    private static Optional<String> several(List<StoredBackup> all) {
        var newest = new TreeMap<String, StoredBackup>();
        all.stream()
                .filter(StoredBackup::verified)
                .sorted(StoredBackup.BY_TIME)
                .forEach(b -> newest.put(b.key().clusterId().toString(), b));
        return newest.size() < 2
                ? Optional.empty()
                : Optional.of("backups of " + newest.size() + " rings of that name exist, with different cluster IDs."
                        + " Name a backup by its id to choose one: "
                        + newest.entrySet().stream()
                                .map(e -> e.getValue().id() + " (the newest of cluster ID " + e.getKey() + ")")
                                .collect(Collectors.joining(", ")));
    }

    private static Restore wanted(RestoreRequest request, Destination place, BackupStore store, StoredBackup backup) {
        try {
            var manifest = SnapshotReader.manifest(store, backup.key());
            return new Restore.Wanted(new RestoreOrder(
                    request.name(), new Stored.Certified(place, backup.key(), manifest), request.bumpRevision()));
        } catch (SnapshotReader.Damaged e) {
            return awaited(request, String.valueOf(e.getMessage()));
        }
    }

    private Restore bare(RestoreRequest request, Destination object) {
        var place = object.parent();
        String key = object.prefix().substring(place.prefix().length());
        try (var store = stores.open(place)) {
            return store.list(key).stream()
                    .filter(entry -> entry.key().equals(key))
                    .findFirst()
                    .<Restore>map(entry -> new Restore.Wanted(new RestoreOrder(
                            request.name(), new Stored.Bare(place, key, entry.size()), request.bumpRevision())))
                    .orElseGet(() -> awaited(request, "there is no object " + object.title()));
        }
    }

    private static Restore awaited(RestoreRequest request, String why) {
        return new Restore.Awaited("EtcdRestore " + request.name()
                + " restores this ring from data that is not available: " + why
                + (request.inPlace().isPresent() ? "" : ". The ring is not created empty"));
    }
}
