package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.Destination;

/// Opens backup locations. Classes for a kind of location load only when one of that kind is opened.
@FunctionalInterface
public interface BackupStores {
    /// Close the result. Throws [GatewayException] where credentials are missing or malformed.
    BackupStore open(Destination destination);
}
