package io.github.etcdgitops.state.backup;

import java.util.List;

/// etcd's own hash over all keys up to `revision`, comparable where `compactRevision` is the same. `members` agree
/// on it.
public record KvHash(long revision, long compactRevision, long hash, List<String> members) {
    public KvHash {
        members = List.copyOf(members);
    }
}
