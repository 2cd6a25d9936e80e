package io.github.etcdgitops.spec;

import java.time.Duration;

/// How the ring is to be talked to, and where its certificates come from.
public record Tls(Transport transport, Issuer issuer, Duration duration) {
    public static final Duration YEAR = Duration.ofDays(365);
    public static final Tls NONE = new Tls(Transport.PLAIN, Issuer.BUILT_IN, YEAR);

    /// `duration` is how long a certificate of the built-in issuer is valid.
    public enum Issuer {
        /// A CA of the ring's own, kept in the Secret `NAME-ca`.
        BUILT_IN,
        /// Somebody else keeps the Secrets filled.
        SECRET,
        /// cert-manager.
        CERT_MANAGER
    }

    /// The Secret with the certificate that the ring is talked to with.
    public static String clientSecret(ClusterRef ref) {
        return ref.name() + "-client-tls";
    }

    public Tls with(Transport other) {
        return new Tls(other, issuer, duration);
    }
}
