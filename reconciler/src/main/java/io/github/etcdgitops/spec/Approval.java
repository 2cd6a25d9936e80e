package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// An approval in Git: operations with these ids may happen until `expires`. `clusterId` is etcd's own ID
/// of the ring, where the operations name it.
public record Approval(
        String name,
        ClusterRef cluster,
        Optional<String> clusterId,
        Set<String> operations,
        String approvedBy,
        Instant expires,
        Location source) {
    public Approval {
        operations = Set.copyOf(operations);
    }

    /// For operations that name no ring.
    public Approval(
            String name,
            ClusterRef cluster,
            Set<String> operations,
            String approvedBy,
            Instant expires,
            Location source) {
        this(name, cluster, Optional.empty(), operations, approvedBy, expires, source);
    }
}
