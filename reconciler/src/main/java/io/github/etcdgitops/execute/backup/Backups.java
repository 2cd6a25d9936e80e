package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.concurrent.Semaphore;

/// What backups need of the outside. `permits` bounds how many are taken at the same time in this process;
/// `tool` is written into manifests.
public record Backups(BackupStores stores, ObjectEncoding encodings, Semaphore permits, String tool, Moved moved) {
    /// Told of the bytes of a snapshot as they pass, often: `bytes` since the step began, of about `total`.
    @FunctionalInterface
    public interface Moved {
        void bytes(ClusterRef ref, long bytes, long total);
    }
}
