package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.OptionalLong;

/// The expected contents of a snapshot, as observed right before it was taken: `version` is the etcd that
/// computed the hash, `keys` counts the keys at `revision`, where the member reported it.
public record SnapshotContents(EtcdVersion version, long revision, OptionalLong keys, List<KvHash> hashes) {
    public SnapshotContents {
        hashes = List.copyOf(hashes);
    }
}
