package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.Set;

/// Somebody's word, given in Git, that operations with these ids may happen until `expires`.
public record Approval(
        String name, ClusterRef cluster, Set<String> operations, String approvedBy, Instant expires, Location source) {
    public Approval {
        operations = Set.copyOf(operations);
    }
}
