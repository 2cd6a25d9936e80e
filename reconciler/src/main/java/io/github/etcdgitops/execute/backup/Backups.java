package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.concurrent.Semaphore;

/// What backups need from the outside. `permits` limits how many backups this process takes at the same
/// time; `tool` is written into manifests.
public record Backups(BackupStores stores, ObjectEncoding encodings, Semaphore permits, String tool, Moved moved) {
    /// Receives the progress of a snapshot, often: `bytes` since the step started, of about `total`.
    @FunctionalInterface
    public interface Moved {
        void bytes(ClusterRef ref, long bytes, long total);
    }
}
