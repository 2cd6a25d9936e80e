package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.Destination;

/// Opens places that keep backups. Nothing is loaded for a kind of place that nobody asks for.
@FunctionalInterface
public interface BackupStores {
    /// Close the result. Throws [GatewayException] where credentials are missing or malformed.
    BackupStore open(Destination destination);
}
