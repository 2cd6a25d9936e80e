package io.github.etcdgitops.gateway.etcd;

import java.util.Optional;

/// What a ring asks of whoever connects: TLS, and a user where its authentication is enabled. They are independent of
/// each other; with neither it is plain text for everybody.
public record EndpointAccess(Optional<TlsMaterial> tls, Optional<Login> login) {
    public static final EndpointAccess PLAIN = new EndpointAccess(Optional.empty(), Optional.empty());

    /// A user of etcd's own authentication. etcd gives snapshots and hashes to users with the role `root` alone.
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[***]";
        }
    }
}
