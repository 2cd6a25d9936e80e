package io.github.etcdgitops.spec.value;

/// How much an operation can cost. The order matters: approvals are required from a class upwards.
public enum Risk implements WireName {
    /// Adds or restores without touching a serving member.
    LOW,
    /// Stops a member or moves its leadership for a while, with tolerance left.
    MEDIUM,
    /// Leaves the ring without tolerance, or cannot be undone.
    HIGH,
    /// Can lose data.
    DESTRUCTIVE;

    @Override
    public String toString() {
        return wire();
    }

    @Override
    public String wire() {
        return switch (this) {
            case LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
            case DESTRUCTIVE -> "destructive";
        };
    }
}
