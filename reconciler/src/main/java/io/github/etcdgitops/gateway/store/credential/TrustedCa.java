package io.github.etcdgitops.gateway.store.credential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// CAs from PEM.
public final class TrustedCa {
    private TrustedCa() {}

    static KeyStore parse(String pem, Path path) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(bytes)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw CredentialFolder.unusable(path, "has no certificate");
            }
            return store;
        } catch (GeneralSecurityException | IOException _) {
            throw CredentialFolder.unusable(path, "has no certificates in PEM");
        }
    }

    public static TrustManager[] managers(KeyStore store) {
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot trust certificates", e);
        }
    }

    public static SSLContext context(KeyStore store) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers(store), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }
}
