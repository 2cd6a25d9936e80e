package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.WireName;

/// The phase of a claim, by its name in Kubernetes.
public enum ClaimPhase implements WireName {
    PENDING,
    BOUND,
    /// Its volume is gone, with all its data.
    LOST,
    /// A phase that is not known here.
    UNKNOWN;

    @Override
    public String wire() {
        return switch (this) {
            case PENDING -> "Pending";
            case BOUND -> "Bound";
            case LOST -> "Lost";
            case UNKNOWN -> "Unknown";
        };
    }
}
