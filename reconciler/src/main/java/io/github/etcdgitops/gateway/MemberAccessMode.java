package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Optional;

/// How members are reached: `--member-access auto|pod-ip|port-forward`.
public enum MemberAccessMode implements WireName {
    /// Tries the pod IP first, and keeps what has worked once.
    AUTO,
    /// Inside the cluster, or where its pod network is reachable.
    POD_IP,
    /// Through the API server, from anywhere; needs the right to create `pods/portforward`.
    PORT_FORWARD;

    public static Optional<MemberAccessMode> parse(String text) {
        return WireName.find(values(), text);
    }

    @Override
    public String toString() {
        return wire();
    }

    @Override
    public String wire() {
        return switch (this) {
            case AUTO -> "auto";
            case POD_IP -> "pod-ip";
            case PORT_FORWARD -> "port-forward";
        };
    }
}
