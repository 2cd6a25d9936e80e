package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.value.Transport;
import java.util.LinkedHashMap;
import java.util.Map;

/// Ports of every member, with their names in Kubernetes.
public final class Ports {
    public static final int METRICS = Door.METRICS.port();
    public static final int CLIENT = Door.CLIENT.port();
    static final int PEER = Door.PEER.port();
    static final int PEER_TLS = Door.PEER_TLS.port();

    static final String METRICS_NAME = "metrics";
    static final String CLIENT_NAME = "client";
    static final String PEER_NAME = "peer";
    static final String PEER_TLS_NAME = "peer-tls";

    private Ports() {}

    /// The ports that members serve, by name. The plain-text port is removed once no client uses it.
    static Map<String, Integer> of(Transport transport) {
        var ports = new LinkedHashMap<String, Integer>();
        ports.put(CLIENT_NAME, CLIENT);
        if (transport.peer().plain()) {
            ports.put(PEER_NAME, PEER);
        }
        ports.put(PEER_TLS_NAME, PEER_TLS);
        ports.put(METRICS_NAME, METRICS);
        return ports;
    }
}
