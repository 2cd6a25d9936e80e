package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.WireName;

/// The phase of a pod, by its name in Kubernetes.
public enum PodPhase implements WireName {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /// Kubernetes does not know it, because the node is unreachable; or the phase is one that is not known
    /// here.
    UNKNOWN;

    @Override
    public String wire() {
        return switch (this) {
            case PENDING -> "Pending";
            case RUNNING -> "Running";
            case SUCCEEDED -> "Succeeded";
            case FAILED -> "Failed";
            case UNKNOWN -> "Unknown";
        };
    }
}
