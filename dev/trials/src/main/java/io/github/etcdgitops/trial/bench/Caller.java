package io.github.etcdgitops.trial.bench;

import io.github.etcdgitops.certificate.Credential;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Somebody who comes over TLS: trusts one CA, and shows one certificate or none. Made of the JDK alone,
/// so that the trials see a ring with other eyes than the product's.
public record Caller(X509TrustManager trusts, Optional<Shown> shows) {
    public static Caller of(byte[] ca, Optional<Credential> shown) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("ca", certificate(ca));
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return new Caller((X509TrustManager) factory.getTrustManagers()[0], shown.map(Shown::of));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("no CA that can be read", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// For whoever says itself against which name the certificate is to be checked.
    public SSLContext strict() {
        return context(trusts);
    }

    /// For whoever knows an address alone: the certificate must be of the CA, for whichever name.
    SSLContext anyName() {
        return context(new AnyName(trusts));
    }

    private SSLContext context(TrustManager trust) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    shows.map(s -> new KeyManager[] {s}).orElse(new KeyManager[0]), new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static X509Certificate certificate(byte[] pem) throws CertificateException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    /// Shows its certificate whatever the server says whose it takes: the JDK's own would show none.
    static final class Shown extends X509ExtendedKeyManager {
        private static final String ALIAS = "shown";

        private final X509Certificate certificate;
        private final PrivateKey key;

        private Shown(X509Certificate certificate, PrivateKey key) {
            this.certificate = certificate;
            this.key = key;
        }

        public static Shown of(Credential credential) {
            try {
                String pem = new String(credential.keyPem(), StandardCharsets.US_ASCII);
                byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
                return new Shown(
                        certificate(credential.certificatePem()),
                        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)));
            } catch (GeneralSecurityException _) {
                throw new IllegalArgumentException("a certificate or key that the trial cannot read");
            }
        }

        @Override
        public String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }

    /// The JDK leaves the check of names to an extended trust manager, and this one makes none.
    private static final class AnyName extends X509ExtendedTrustManager {
        private final X509TrustManager chain;

        private AnyName(X509TrustManager chain) {
            this.chain = chain;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type) throws CertificateException {
            chain.checkServerTrusted(shown, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type, Socket socket)
                throws CertificateException {
            chain.checkServerTrusted(shown, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type, SSLEngine engine)
                throws CertificateException {
            chain.checkServerTrusted(shown, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type) throws CertificateException {
            throw new CertificateException(List.of(shown).size() + " certificates shown to nobody");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(shown, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(shown, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return chain.getAcceptedIssuers();
        }
    }
}
