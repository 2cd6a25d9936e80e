package io.github.etcdgitops.gateway.etcd;

import java.util.Optional;

/// What a ring requires of a client: TLS, and a user where authentication is enabled. They are independent
/// of each other; with neither it is plain text for every client.
public record EndpointAccess(Optional<TlsMaterial> tls, Optional<Login> login) {
    public static final EndpointAccess PLAIN = new EndpointAccess(Optional.empty(), Optional.empty());

    /// A user of etcd's own authentication. etcd gives snapshots and hashes only to users with the role
    /// `root`.
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[***]";
        }
    }
}
