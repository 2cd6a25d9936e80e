package io.github.etcdgitops.gateway.store.s3;

/// How a store is told to write only a new object.
public enum CreateCondition {
    IF_NONE_MATCH,
    /// Google's XML API has no If-None-Match for writes.
    IF_GENERATION_MATCH
}
