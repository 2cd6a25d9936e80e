package io.github.etcdgitops.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Whether a chain of signatures leads from a certificate to a trusted CA.
final class Trust {
    private Trust() {}

    static Optional<String> problem(List<X509Certificate> chain, List<X509Certificate> trusted, Instant now) {
        X509Certificate certificate = chain.getFirst();
        if (certificate.getBasicConstraints() >= 0) {
            return Optional.of("the certificate is a CA certificate");
        }
        return anchor(chain, trusted, within(certificate, now))
                .map(ca -> expiry(ca, now))
                .orElse(Optional.of("the certificate is not signed by the CA"));
    }

    /// Another check reports an expired certificate; here only its signer matters.
    private static Instant within(X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        return now.isBefore(from) ? from : now.isAfter(until) ? until : now;
    }

    private static Optional<X509Certificate> anchor(
            List<X509Certificate> chain, List<X509Certificate> trusted, Instant at) {
        try {
            var anchors = new HashSet<TrustAnchor>();
            trusted.forEach(ca -> anchors.add(new TrustAnchor(ca, null)));
            var target = new X509CertSelector();
            target.setCertificate(chain.getFirst());
            var parameters = new PKIXBuilderParameters(anchors, target);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
            // A ring's CA publishes no revocation list, and none is fetched here.
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(at));
            return CertPathBuilder.getInstance("PKIX").build(parameters) instanceof PKIXCertPathBuilderResult found
                    ? Optional.ofNullable(found.getTrustAnchor().getTrustedCert())
                    : Optional.empty();
        } catch (CertPathBuilderException _) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK builds PKIX paths", e);
        }
    }

    private static Optional<String> expiry(X509Certificate ca, Instant now) {
        Instant from = ca.getNotBefore().toInstant();
        Instant until = ca.getNotAfter().toInstant();
        if (now.isBefore(from)) {
            return Optional.of("its CA is not valid before " + from);
        }
        return now.isAfter(until) ? Optional.of("its CA expired on " + until) : Optional.empty();
    }
}
