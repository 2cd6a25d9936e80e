package io.github.etcdgitops.it;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server's certificate for 127.0.0.1, and for [#HOST], of an authority that nobody knows.
public final class LoopbackTls {
    /// A name that no machine knows.
    public static final String HOST = "orders.db.svc";

    private static final ClusterRef REF = new ClusterRef("db", "orders");
    private static final Duration DAY = Duration.ofDays(1);

    private final Authority authority = Authority.create(REF, Instant.now(), DAY);

    /// The authority as a file of PEM.
    public Path ca(Path file) throws IOException {
        return Files.write(file, authority.credential().certificatePem());
    }

    /// Of a certificate that is good today.
    public SSLContext server() {
        return server(Instant.now());
    }

    public SSLContext server(Instant from) {
        try {
            var credential = authority.issue(Leaf.SERVER, REF, from, DAY);
            Certificate certificate = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(credential.certificatePem()));
            String pem = new String(credential.keyPem(), StandardCharsets.US_ASCII);
            byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "server",
                    KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)),
                    new char[0],
                    new Certificate[] {certificate});
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no certificate for loopback", e);
        }
    }
}
