package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.ClusterRef;

/// The way from here to a member: its pod IP, or a port-forward through the API server.
public interface MemberAccess extends AutoCloseable {
    int CLIENT_PORT = 2379;

    /// Opens the way to one member's port. Close the result. Throws [GatewayException] UNREACHABLE.
    Route open(ClusterRef ref, int ordinal, String podIp, int port);

    /// The same to any pod of ours: that of a restore or a drill. What is checked against a certificate
    /// there is its address.
    Route open(Pod pod, int port);

    @Override
    void close();

    /// `ip` may be empty: then only a port-forward leads there.
    record Pod(String namespace, String name, String ip) {
        /// `namespace/name`.
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /// What a route goes through.
    enum Way {
        POD_IP("pod IP"),
        PORT_FORWARD("port-forward");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /// Where to connect. `authority` is the member's DNS name, against which its certificate is checked.
    interface Route extends AutoCloseable {
        String host();

        int port();

        String authority();

        Way way();

        @Override
        void close();
    }
}
