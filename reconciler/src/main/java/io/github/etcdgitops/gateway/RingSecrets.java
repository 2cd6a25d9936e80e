package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The Secrets that hold a ring's certificates: ours where the ring has its own CA, and from outside
/// otherwise. Every call has its own deadline and throws [GatewayException]; no message contains anything
/// from a Secret.
///
/// A process that only plans may read [Kind#CLIENT] and no other.
public interface RingSecrets {
    /// The content of a Secret: the CA with its key, or a certificate with its key and the CA to trust.
    enum Kind implements WireName {
        CA("-ca"),
        /// The CA that is to take over, or that did so last.
        NEXT_CA("-ca-next"),
        PEER("-peer-tls"),
        SERVER("-server-tls"),
        CLIENT("-client-tls"),
        /// The identity of etcd's user `root`, in rings with authentication.
        ROOT("-root-tls");

        private final String suffix;

        Kind(String suffix) {
            this.suffix = suffix;
        }

        public String secretName(ClusterRef ref) {
            return ref.name() + suffix;
        }

        @Override
        public String toString() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case CA -> "ca";
                case NEXT_CA -> "next_ca";
                case PEER -> "peer";
                case SERVER -> "server";
                case CLIENT -> "client";
                case ROOT -> "root";
            };
        }
    }

    /// By name, from the API server's own store: empty proves absence. REJECTED when a Secret lacks one of
    /// its three entries, UNAUTHORIZED with the missing right.
    Optional<Stored> read(ClusterRef ref, Kind kind);

    /// Without `resourceVersion`, creates it: CONFLICT when one exists. Otherwise replaces the one that was
    /// read: CONFLICT when it has changed, is gone, or was written by a newer run; REJECTED when it is not
    /// ours. Returns the new resourceVersion.
    String write(ClusterRef ref, Kind kind, Content content, Optional<String> resourceVersion, long epoch);

    /// Has cert-manager keep the Secret filled, by a Certificate of the same name: created, or changed
    /// where it differs. Returns what is still missing, as text; empty once the Secret has the requested
    /// content. REJECTED where the API server does not know Certificates, or one exists that is not ours.
    Optional<String> order(ClusterRef ref, Kind kind, Order order, long epoch);

    /// The Secrets with passwords.
    RingPasswords passwords();

    /// The required properties of a certificate. `usages` are cert-manager's names.
    record Order(
            Tls.IssuerRef issuer,
            Duration duration,
            String commonName,
            List<String> dnsNames,
            List<String> addresses,
            List<String> usages) {
        public Order {
            dnsNames = List.copyOf(dnsNames);
            addresses = List.copyOf(addresses);
            usages = List.copyOf(usages);
        }
    }

    /// `tls.crt`, `tls.key` and `ca.crt`, as PEM. Never printed.
    @SuppressWarnings("ArrayRecordComponent") // compared by content, and copied on the way in and out
    record Content(byte[] certificate, byte[] key, byte[] ca) {
        public Content {
            certificate = certificate.clone();
            key = key.clone();
            ca = ca.clone();
        }

        @Override
        public byte[] certificate() {
            return certificate.clone();
        }

        @Override
        public byte[] key() {
            return key.clone();
        }

        @Override
        public byte[] ca() {
            return ca.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Content(byte[] otherCertificate, byte[] otherKey, byte[] otherCa)
                    && Arrays.equals(certificate, otherCertificate)
                    && Arrays.equals(key, otherKey)
                    && Arrays.equals(ca, otherCa);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(certificate) + Arrays.hashCode(ca);
        }

        @Override
        public String toString() {
            return "Content[***]";
        }
    }

    /// `ours` says whether it has the labels of this ring's objects.
    record Stored(Content content, String resourceVersion, boolean ours) {}
}
