package io.github.etcdgitops.backup;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.Optional;
import java.util.OptionalInt;

/// Deletes backups.
public final class Pruning {
    private Pruning() {}

    /// Why a backup must stay, by a listing from right before: the newest verified one of a ring always
    /// does.
    public static Optional<String> refusal(RingBackups now, BackupKey key) {
        var newest = now.of(key.clusterId()).newest().map(StoredBackup::key);
        if (newest.isEmpty()) {
            return Optional.of("backup " + key.id() + " stays: the ring has no other verified one");
        }
        return newest.get().equals(key)
                ? Optional.of("backup " + key.id() + " is the newest verified one of the ring, and stays")
                : Optional.empty();
    }

    /// Returns how many objects were deleted. The manifest goes first: a snapshot without a manifest does
    /// not count as a backup, while a manifest without its snapshot would be wrong.
    public static int delete(BackupStore store, BackupKey key) {
        store.delete(key.file(BackupKey.MANIFEST));
        var rest = store.list(key.prefix());
        rest.forEach(entry -> store.delete(entry.key()));
        return rest.size() + 1;
    }

    /// The same; empty where the store holds it under a lock.
    public static OptionalInt deleteUnlessLocked(BackupStore store, BackupKey key) {
        try {
            return OptionalInt.of(delete(store, key));
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.REJECTED) {
                throw e;
            }
            return OptionalInt.empty();
        }
    }
}
