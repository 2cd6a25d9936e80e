package io.github.etcdgitops.gateway.kube;

/// Ports of every member. They are part of peer and client URLs that etcd stores, so they never change again.
final class Ports {
    static final int METRICS = 2378;
    static final int CLIENT = 2379;
    static final int PEER = 2380;
    static final int PEER_TLS = 2381;

    static final String METRICS_NAME = "metrics";
    static final String CLIENT_NAME = "client";
    static final String PEER_NAME = "peer";
    static final String PEER_TLS_NAME = "peer-tls";

    private Ports() {}
}
