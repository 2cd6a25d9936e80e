package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;

/// Asks for a new volume for the member of this ordinal, replacing the claim of this UID.
public record VolumeReset(
        String name, ClusterRef cluster, int ordinal, String claimUid, String reason, Location source) {}
