package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;

/// The certificates of a whole fleet from one CA: for the members of each ring one, which is made when the first of
/// them is called, and one for the reconciler. Several processes share the CA in a folder.
final class StandInTls {
    private static final Duration VALIDITY = Duration.ofDays(30);
    private static final String ANY = "any";
    private static final String CA = "ca.pem";
    private static final String CA_KEY = "ca-key.pem";

    private final Authority authority;
    private final Credential client;
    private final Map<String, Served> served = new ConcurrentHashMap<>();

    private record Served(PrivateKey key, X509Certificate certificate) {}

    private StandInTls(Authority authority) {
        this.authority = authority;
        this.client = authority.issue(Leaf.CLIENT, ring(ANY), Instant.now(), VALIDITY);
    }

    /// Makes a CA in the folder.
    static StandInTls create(Path folder) throws IOException {
        var authority = Authority.create(ring(ANY), Instant.now(), VALIDITY);
        Files.write(folder.resolve(CA), authority.credential().certificatePem());
        Files.write(folder.resolve(CA_KEY), authority.credential().keyPem());
        return new StandInTls(authority);
    }

    static StandInTls of(Path folder) throws IOException {
        return new StandInTls(Authority.of(
                new Credential(Files.readAllBytes(folder.resolve(CA)), Files.readAllBytes(folder.resolve(CA_KEY)))));
    }

    /// The Secret from which the reconciler takes its own certificate.
    String clientSecret(String namespace) {
        return """
            {"kind":"Secret","apiVersion":"v1","type":"kubernetes.io/tls","metadata":{"name":"%s-client-tls",
            "namespace":"%s","uid":"secret-%s","resourceVersion":"1"},
            "data":{"ca.crt":"%s","tls.crt":"%s","tls.key":"%s"}}\
            """.formatted(
                        RingPattern.NAME,
                        namespace,
                        namespace,
                        encoded(authority.certificatePem()),
                        encoded(client.certificatePem()),
                        encoded(client.keyPem()));
    }

    /// For members that ask no caller for a certificate.
    SslContext server() throws SSLException {
        return GrpcSslContexts.configure(SslContextBuilder.forServer(new ByName()), SslProvider.JDK)
                .build();
    }

    /// For an API server on loopback: the certificate of any ring has its address.
    SSLContext api() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new ByName()}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /// For a kubeconfig.
    String authorityData() {
        return encoded(authority.certificatePem());
    }

    private static ClusterRef ring(String namespace) {
        return new ClusterRef(namespace, RingPattern.NAME);
    }

    private static String encoded(byte[] pem) {
        return Base64.getEncoder().encodeToString(pem);
    }

    private Served issued(String namespace) {
        return served.computeIfAbsent(namespace, _ -> {
            var made = authority.issue(Leaf.SERVER, ring(namespace), Instant.now(), VALIDITY);
            try {
                String pem = new String(made.inPkcs8().keyPem(), StandardCharsets.US_ASCII);
                byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
                return new Served(
                        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)),
                        (X509Certificate) CertificateFactory.getInstance("X.509")
                                .generateCertificate(new ByteArrayInputStream(made.certificatePem())));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("a certificate made here cannot be read", e);
            }
        });
    }

    /// Takes the certificate of the ring whose member the caller names. An alias is the namespace of a ring.
    private final class ByName extends X509ExtendedKeyManager {
        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            var names = ((ExtendedSSLSession) engine.getHandshakeSession()).getRequestedServerNames();
            if (!keyType.equals("EC")) {
                return null;
            }
            return !names.isEmpty() && names.getFirst() instanceof SNIHostName host
                    ? host.getAsciiName().split("\\.")[2]
                    : ANY;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {issued(alias).certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return issued(alias).key();
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
