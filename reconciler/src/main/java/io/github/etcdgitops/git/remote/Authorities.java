package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.certificate.Anchors;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// CAs from a file, which replace Java's own trusted CAs.
public final class Authorities {
    private Authorities() {}

    public static TrustManager[] read(Path file) {
        try {
            var store = Anchors.of(Files.readAllBytes(file));
            if (store.size() == 0) {
                throw new GitException(Kind.INVALID_ADDRESS, "the CA file has no certificate: " + file);
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (IOException e) {
            throw new GitException(Kind.INVALID_ADDRESS, "the CA file cannot be read: " + file, e);
        } catch (GeneralSecurityException _) {
            throw new GitException(Kind.INVALID_ADDRESS, "the CA file has no certificates in PEM: " + file);
        }
    }
}
