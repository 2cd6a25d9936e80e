package io.github.etcdgitops.gateway.forge;

import io.github.etcdgitops.certificate.Anchors;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// CAs from a file, to verify the certificate of a forge.
final class ForgeAuthorities {
    private ForgeAuthorities() {}

    static SSLContext read(Path file) {
        try {
            var store = Anchors.of(Files.readAllBytes(file));
            if (store.size() == 0) {
                throw unusable("has no certificate", file);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException _) {
            throw unusable("cannot be read", file);
        } catch (CertificateException _) {
            throw unusable("has no certificates in PEM", file);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static GatewayException unusable(String why, Path file) {
        return new GatewayException(Kind.REJECTED, false, "the CA file " + why + ": " + file);
    }
}
