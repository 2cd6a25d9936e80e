package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;

/// The input for rendering a ring's objects. `voters` is how many members the client endpoints list;
/// `minAvailable` is the budget; `epoch` is written with every change. `applied` overrides the spec for
/// version, etcd options and TLS: only operations change a running ring. `authority` is the CA of its
/// certificates, as PEM. `claims` is the name of the claim template.
public record RingObjects(
        EtcdClusterSpec spec,
        MemberSettings applied,
        int voters,
        int minAvailable,
        long epoch,
        Optional<String> authority,
        String claims) {
    /// For a ring without certificates.
    public RingObjects(EtcdClusterSpec spec, MemberSettings applied, int voters, int minAvailable, long epoch) {
        this(spec, applied, voters, minAvailable, epoch, Optional.empty());
    }

    /// For a ring that we created.
    public RingObjects(
            EtcdClusterSpec spec,
            MemberSettings applied,
            int voters,
            int minAvailable,
            long epoch,
            Optional<String> authority) {
        this(spec, applied, voters, minAvailable, epoch, authority, ClusterRef.CLAIMS);
    }
}
