package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;

/// Reports operations as Events on a ring's StatefulSet, for people who look there. Best effort: failures
/// are ignored, and nothing is thrown.
@FunctionalInterface
public interface RingEvents {
    void tell(ClusterRef ref, Event event);

    /// `reason` is one CamelCase word, as `ScaleOutBegun`; the message holds no secret. A repeated event
    /// only increases its count.
    record Event(boolean warning, String reason, String message) {}
}
