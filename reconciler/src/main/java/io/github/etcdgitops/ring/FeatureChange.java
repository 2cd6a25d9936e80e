package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.FeatureGate;

/// A feature gate whose value the ring's members are to change. `from` names where the value comes from,
/// for people; it is not part of the operation's id.
public record FeatureChange(FeatureGate gate, boolean on, String from) {
    /// `PeerTls is true, from etcd-gitops.yaml:12 (fleet)`.
    @Override
    public String toString() {
        return gate + " is " + from;
    }
}
