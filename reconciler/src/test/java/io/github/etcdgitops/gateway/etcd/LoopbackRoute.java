package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.MemberAccess;

/// A route to a port of this machine, where a test listens.
record LoopbackRoute(int port, MemberAccess.Way way) implements MemberAccess.Route {
    LoopbackRoute(int port) {
        this(port, MemberAccess.Way.POD_IP);
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public String authority() {
        return "m0.test";
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
