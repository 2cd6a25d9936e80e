package io.github.etcdgitops.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/// CAs that replace Java's own trusted CAs.
public final class Anchors {
    private Anchors() {}

    /// From PEM. Empty without a certificate; throws [CertificateException] where one is invalid.
    public static KeyStore of(byte[] pem) throws CertificateException {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var one :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                store.setCertificateEntry("ca-" + store.size(), one);
            }
            return store;
        } catch (CertificateException e) {
            throw e;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every JDK keeps certificates in memory", e);
        }
    }
}
