package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.FeatureGate;

/// A feature gate that a ring's members are to have otherwise than they do. `from` is where the value
/// comes from, for people: it is no part of what an operation is.
public record FeatureChange(FeatureGate gate, boolean on, String from) {
    /// `PeerTls is true, from etcd-gitops.yaml:12 (fleet)`.
    @Override
    public String toString() {
        return gate + " is " + from;
    }
}
