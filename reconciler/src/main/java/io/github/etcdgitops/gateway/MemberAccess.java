package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// The way from here to a member: its pod IP, or a port-forward through the API server.
public interface MemberAccess extends AutoCloseable {
    /// Opens the way to one door of a member. Close the result. Throws [GatewayException] UNREACHABLE.
    Route open(ClusterRef ref, int ordinal, String podIp, Door door);

    /// The same to a port of any other pod of ours: that of a restore or a drill. It is no member, and
    /// whatever it serves is plain text.
    Route open(Pod pod, int port);

    @Override
    void close();

    /// The ports of every member, by what is spoken there. They are part of the URLs that etcd stores, so
    /// they never change again. Both kinds of clients have the one port.
    enum Door {
        CLIENT(2379),
        CLIENT_TLS(2379),
        /// Plain text always, as probes and scrapers read it.
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

    /// One that works for this ring, in whatever namespace. `ip` may be empty: then only a port-forward leads there.
    record Pod(ClusterRef ring, String namespace, String name, String ip) {
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

        /// What it was opened for. To a pod that is no member: [Door#CLIENT], plain.
        default Door door() {
            return Door.CLIENT;
        }

        /// The ring of the member; empty to any other pod.
        default Optional<ClusterRef> ring() {
            return Optional.empty();
        }

        @Override
        void close();
    }
}
