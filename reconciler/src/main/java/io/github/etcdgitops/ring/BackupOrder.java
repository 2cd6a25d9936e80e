package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;

/// A backup to be taken: for which policy, where to and how. `suffix` ends its id and says what it was for.
public record BackupOrder(
        String environment, String policy, Destination destination, BackupPolicy.Encoding encoding, String suffix) {}
