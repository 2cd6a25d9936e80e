package io.github.etcdgitops.state;

/// The objects of a ring whose whole content follows from spec and ring, so that a difference can be mended
/// without a restart.
/// The members' ConfigMap and the journal are not among them: only the step that acts on a member may write
/// those.
public enum ManagedObject {
    PEER_SERVICE,
    CLIENT_SERVICE,
    NETWORK_POLICY,
    CONNECTION,
    BUDGET,
    /// Labels and annotations of the StatefulSet itself, not its template.
    STATEFUL_SET_LABELS;

    /// As a person reads it: `client service`.
    public String title() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ').replace("stateful set", "StatefulSet");
    }
}
