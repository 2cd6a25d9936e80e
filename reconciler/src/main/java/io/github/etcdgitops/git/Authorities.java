package io.github.etcdgitops.git;

import io.github.etcdgitops.git.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// Certificate authorities from a file, which count instead of those that Java knows.
final class Authorities {
    private Authorities() {}

    static TrustManager[] read(Path file) {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new GitException(Kind.INVALID_ADDRESS, "the file of authorities has no certificate: " + file);
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (IOException e) {
            throw new GitException(Kind.INVALID_ADDRESS, "the file of authorities cannot be read: " + file, e);
        } catch (GeneralSecurityException _) {
            throw new GitException(Kind.INVALID_ADDRESS, "the file of authorities has no certificates in PEM: " + file);
        }
    }
}
