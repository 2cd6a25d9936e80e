package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;

/// One backup of one ring, taken once, to where the policy of that name keeps them. It is kept until somebody deletes
/// it by name.
public record BackupRequest(String name, ClusterRef cluster, String policy, Location source) {}
