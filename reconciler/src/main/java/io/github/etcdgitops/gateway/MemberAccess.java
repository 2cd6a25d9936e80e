package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// Routes to a member: its pod IP, or a port-forward through the API server.
public interface MemberAccess extends AutoCloseable {
    /// Opens a route to one port of a member. Close the result. Throws [GatewayException] UNREACHABLE.
    Route open(ClusterRef ref, int ordinal, String podIp, Door door);

    /// The same to a port of any other pod of ours: that of a restore or a drill. It is not a member, and
    /// serves plain text.
    Route open(Pod pod, int port);

    @Override
    void close();

    /// The ports of every member, by protocol. They are part of the URLs that etcd stores, so they never
    /// change again. Plain and TLS clients share one port.
    enum Door {
        CLIENT(2379),
        CLIENT_TLS(2379),
        /// Always plain text, for probes and scrapers.
        METRICS(2378),
        PEER(2380),
        PEER_TLS(2381);

        private final int port;

        Door(int port) {
            this.port = port;
        }

        public int port() {
            return port;
        }

        public static Door clients(boolean secured) {
            return secured ? CLIENT_TLS : CLIENT;
        }
    }

    /// A pod that works for this ring, in any namespace. `ip` may be empty: then only a port-forward
    /// reaches it.
    record Pod(ClusterRef ring, String namespace, String name, String ip) {
        /// `namespace/name`.
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /// How a route reaches the pod.
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

    /// Where to connect. `authority` is the member's DNS name; its certificate is checked against it.
    interface Route extends AutoCloseable {
        String host();

        int port();

        String authority();

        Way way();

        /// The port it was opened for. For a pod that is not a member: [Door#CLIENT], plain.
        default Door door() {
            return Door.CLIENT;
        }

        /// The ring of the member; empty for any other pod.
        default Optional<ClusterRef> ring() {
            return Optional.empty();
        }

        @Override
        void close();
    }
}
