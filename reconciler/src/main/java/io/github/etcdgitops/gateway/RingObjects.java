package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;

/// What a ring's objects are rendered from. `voters` is how many members clients are told of;
/// `minAvailable` is the budget; `epoch` is written beside every change. `applied` rules over the spec
/// for version, etcd options and TLS: a running ring is changed by operations only. `authority` is the
/// CA of its certificates, as PEM. `claims` is the name of the claim template.
public record RingObjects(
        EtcdClusterSpec spec,
        MemberSettings applied,
        int voters,
        int minAvailable,
        long epoch,
        Optional<String> authority,
        String claims) {
    /// Of a ring without certificates.
    public RingObjects(EtcdClusterSpec spec, MemberSettings applied, int voters, int minAvailable, long epoch) {
        this(spec, applied, voters, minAvailable, epoch, Optional.empty());
    }

    /// Of a ring that we have made.
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
