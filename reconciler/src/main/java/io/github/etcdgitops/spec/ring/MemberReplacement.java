package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;

/// Asks for a new member in the place of the one with this ordinal and this ID, as etcdctl prints it.
public record MemberReplacement(
        String name, ClusterRef cluster, int ordinal, String memberId, String reason, Location source) {}
