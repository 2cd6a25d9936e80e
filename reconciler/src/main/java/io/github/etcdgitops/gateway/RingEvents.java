package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;

/// Tells people who look at a ring's StatefulSet in Kubernetes what is done to it. Best effort: trouble with it is
/// nobody's trouble, so nothing is thrown.
@FunctionalInterface
public interface RingEvents {
    void tell(ClusterRef ref, Event event);

    /// `reason` is one CamelCase word, as `ScaleOutBegun`; the message holds no secret. The same event again only
    /// counts.
    record Event(boolean warning, String reason, String message) {}
}
