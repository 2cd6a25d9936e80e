package io.github.etcdgitops.spec.value;

import java.time.Duration;
import java.util.Optional;

/// How the ring is to be talked to, and where its certificates come from. `reference` is there where
/// cert-manager makes them.
public record Tls(
        Transport transport, Issuer issuer, Optional<IssuerRef> reference, Duration duration, Authority authority) {
    public static final Duration YEAR = Duration.ofDays(365);
    public static final Tls NONE = new Tls(Transport.PLAIN, Issuer.BUILT_IN, YEAR);

    /// With the ring's first CA.
    public Tls(Transport transport, Issuer issuer, Duration duration) {
        this(transport, issuer, Optional.empty(), duration, Authority.FIRST);
    }

    /// `duration` is how long a certificate of the built-in issuer is valid.
    public enum Issuer implements WireName {
        /// A CA of the ring's own, kept in the Secret `NAME-ca`.
        BUILT_IN("a CA of its own (BuiltIn)"),
        /// Somebody else keeps the Secrets filled.
        SECRET("Secrets that are created outside etcd-gitops (Secret)"),
        /// cert-manager is asked to keep the Secrets filled.
        CERT_MANAGER("cert-manager (Issuer, ClusterIssuer)");

        private final String words;

        Issuer(String words) {
            this.words = words;
        }

        /// For people: certificates are of this.
        public String words() {
            return words;
        }

        @Override
        public String wire() {
            return switch (this) {
                case BUILT_IN -> "BUILT_IN";
                case SECRET -> "SECRET";
                case CERT_MANAGER -> "CERT_MANAGER";
            };
        }
    }

    /// An issuer of cert-manager's: `kind` is `Issuer` or `ClusterIssuer`.
    public record IssuerRef(String kind, String name) {}

    /// The CA that the ring is to have at least: a greater `number` than its own has it replaced. For
    /// `overlap` both are trusted, so that clients can take up the new one.
    public record Authority(int number, Duration overlap) {
        public static final Authority FIRST = new Authority(1, Duration.ofDays(1));
    }

    /// The Secret with the certificate that the ring is talked to with.
    public static String clientSecret(ClusterRef ref) {
        return ref.name() + "-client-tls";
    }

    public Tls with(Issuer other) {
        return new Tls(transport, other, reference, duration, authority);
    }

    public Tls with(Transport other) {
        return new Tls(other, issuer, reference, duration, authority);
    }
}
