package io.github.etcdgitops.state;

/// Whether the volumes of a storage class can grow.
public enum Expansion {
    ALLOWED,
    /// Its `allowVolumeExpansion` is not set.
    NOT_ALLOWED,
    NO_SUCH_CLASS,
    /// We have no right to read the class. The API server itself checks it when a claim requests more.
    NOT_FOR_US_TO_READ
}
