package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;

/// Asks to replace the member with this ordinal and this ID, as etcdctl prints it.
public record MemberReplacement(
        String name, ClusterRef cluster, int ordinal, String memberId, String reason, Location source) {}
