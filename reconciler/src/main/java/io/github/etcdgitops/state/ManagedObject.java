package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.WireName;

/// The objects of a ring whose whole content follows from spec and ring, so that a difference can be
/// corrected without a restart. The members' ConfigMap and the journal are not among them: only the step
/// that acts on a member may write those.

public enum ManagedObject implements WireName {
    PEER_SERVICE,
    CLIENT_SERVICE,
    NETWORK_POLICY,
    CONNECTION,
    BUDGET,
    /// Labels and annotations of the StatefulSet itself, not its template.
    STATEFUL_SET_LABELS;

    /// The name for people: `client service`.
    public String title() {
        return wire().replace('-', ' ').replace("stateful set", "StatefulSet");
    }

    @Override
    public String wire() {
        return switch (this) {
            case PEER_SERVICE -> "peer-service";
            case CLIENT_SERVICE -> "client-service";
            case NETWORK_POLICY -> "network-policy";
            case CONNECTION -> "connection";
            case BUDGET -> "budget";
            case STATEFUL_SET_LABELS -> "stateful-set-labels";
        };
    }
}
