package io.github.etcdgitops.spec.value;

import java.time.Duration;
import java.util.Optional;

/// The ring's transport, and the source of its certificates. `reference` is set where cert-manager issues
/// them.
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
        /// The ring's own CA, stored in the Secret `NAME-ca`.
        BUILT_IN("a CA of its own (BuiltIn)"),
        /// The Secrets are filled from outside.
        SECRET("Secrets that are created outside etcd-gitops (Secret)"),
        /// cert-manager keeps the Secrets filled, at our request.
        CERT_MANAGER("cert-manager (Issuer, ClusterIssuer)");

        private final String words;

        Issuer(String words) {
            this.words = words;
        }

        /// The issuer, for people.
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

    /// An issuer of cert-manager: `kind` is `Issuer` or `ClusterIssuer`.
    public record IssuerRef(String kind, String name) {}

    /// The CA that the ring must at least have: a greater `number` than its current one replaces it. For
    /// `overlap` both are trusted, so that clients can add the new one.
    public record Authority(int number, Duration overlap) {
        public static final Authority FIRST = new Authority(1, Duration.ofDays(1));
    }

    public Tls with(Issuer other) {
        return new Tls(transport, other, reference, duration, authority);
    }

    public Tls with(Transport other) {
        return new Tls(other, issuer, reference, duration, authority);
    }
}
