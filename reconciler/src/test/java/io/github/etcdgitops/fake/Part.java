package io.github.etcdgitops.fake;

/// What a read by name can fail to read.
public enum Part {
    STATEFUL_SET,
    JOURNAL,
    PODS,
    CLAIMS,
    BUDGET,
    CONFIGS,
    OBJECTS
}
