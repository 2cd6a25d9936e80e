package io.github.etcdgitops.state.backup;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.OptionalLong;

/// What must come out of a snapshot, as it was found right before it was taken: `version` is the etcd that hashed,
/// `keys` counts the keys at `revision`, where the member said so.
public record SnapshotContents(EtcdVersion version, long revision, OptionalLong keys, List<KvHash> hashes) {
    public SnapshotContents {
        hashes = List.copyOf(hashes);
    }
}
