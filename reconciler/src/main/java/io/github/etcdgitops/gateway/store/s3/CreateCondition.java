package io.github.etcdgitops.gateway.store.s3;

/// How a store is told to write only what is not there.
public enum CreateCondition {
    IF_NONE_MATCH,
    /// Google's XML API has no If-None-Match for writing.
    IF_GENERATION_MATCH
}
