package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// What one location holds of one ring, for all cluster IDs that it ever had. `leftovers` are the prefixes
/// of backups that started more than a day ago and never got a manifest.
public record RingBackups(List<StoredBackup> backups, List<BackupKey> leftovers) {
    public static final RingBackups NONE = new RingBackups(List.of(), List.of());

    public RingBackups {
        backups = backups.stream().sorted(StoredBackup.BY_TIME).toList();
        leftovers = List.copyOf(leftovers);
    }

    /// For the current ring: the backups of an earlier ring of the name prove nothing about this one.
    public RingBackups of(EtcdId clusterId) {
        return new RingBackups(
                backups.stream()
                        .filter(b -> b.key().clusterId().equals(clusterId))
                        .toList(),
                leftovers.stream().filter(k -> k.clusterId().equals(clusterId)).toList());
    }

    public Optional<StoredBackup> newest() {
        return StoredBackup.newest(backups);
    }
}
