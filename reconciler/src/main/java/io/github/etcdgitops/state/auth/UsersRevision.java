package io.github.etcdgitops.state.auth;

import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;

/// A moment in the history of a ring's users and roles, which a later moment of the same history never equals. A
/// restored ring has the revision of its snapshot, and another cluster ID.
///
/// `rootSecret` is the resourceVersion of the Secret whose password `root` has then signed in with.
public record UsersRevision(EtcdId cluster, long revision, Optional<String> rootSecret) {
    /// Whatever became of the Secret.
    public boolean isSameMoment(UsersRevision other) {
        return cluster.equals(other.cluster) && revision == other.revision;
    }
}
