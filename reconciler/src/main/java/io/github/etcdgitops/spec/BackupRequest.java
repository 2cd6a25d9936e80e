package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;

/// One backup of one ring, taken once, to the destination of the policy with that name. It is kept until it
/// is deleted by name.
public record BackupRequest(String name, ClusterRef cluster, String policy, Location source) {}
