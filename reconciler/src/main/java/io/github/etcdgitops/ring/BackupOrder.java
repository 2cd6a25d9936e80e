package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;

/// A backup to take: for which policy, where to store it, and how. `suffix` ends the backup's id and says
/// why it is taken.
public record BackupOrder(
        String environment, String policy, Destination destination, BackupPolicy.Encoding encoding, String suffix) {}
