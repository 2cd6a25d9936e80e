package io.github.etcdgitops.sandbox.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.sandbox.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.yaml.snakeyaml.Yaml;

/// The Kubernetes of the kubeconfig that `ETCD_GITOPS_TEST_KUBECONFIG` names, with a client certificate.
record RealKube(HttpClient client, URI base, String namespace) implements KubeUnderTest {
    private static final String VARIABLE = "ETCD_GITOPS_TEST_KUBECONFIG";

    static RealKube open() {
        String file = System.getenv(VARIABLE);
        assumeTrue(file != null && !file.isBlank(), VARIABLE + " is not set");
        try {
            Map<String, Object> config = new Yaml().load(Files.readString(Path.of(file)));
            Map<String, String> cluster = first(config, "clusters", "cluster");
            Map<String, String> user = first(config, "users", "user");
            HttpClient client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(context(
                            decoded(cluster.get("certificate-authority-data")),
                            decoded(user.get("client-certificate-data")),
                            decoded(user.get("client-key-data"))))
                    .build();
            String namespace = "contract-" + UUID.randomUUID().toString().substring(0, 8);
            var kube = new RealKube(client, URI.create(cluster.get("server")), namespace);
            kube.send(
                    "POST",
                    "/api/v1/namespaces",
                    PLAIN,
                    "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"," + " \"metadata\": {\"name\": \"" + namespace
                            + "\"}}");
            // Pods are refused until there is one.
            Await.until(
                    "the namespace's end",
                    java.time.Duration.ofSeconds(30),
                    () -> kube.get("serviceaccounts", "default").code() == 200);
            return kube;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> first(Map<String, Object> config, String list, String entry) {
        return ((List<Map<String, Map<String, String>>>) config.get(list))
                .getFirst()
                .get(entry);
    }

    private static byte[] decoded(String text) {
        return Base64.getDecoder().decode(text);
    }

    private static SSLContext context(byte[] authority, byte[] certificate, byte[] key)
            throws GeneralSecurityException, IOException {
        var certificates = CertificateFactory.getInstance("X.509");
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null);
        trusted.setCertificateEntry("ca", certificates.generateCertificate(new ByteArrayInputStream(authority)));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);

        var own = KeyStore.getInstance(KeyStore.getDefaultType());
        own.load(null);
        Certificate mine = certificates.generateCertificate(new ByteArrayInputStream(certificate));
        own.setKeyEntry("me", privateKey(key), new char[0], new Certificate[] {mine});
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, new char[0]);

        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
        String text = new String(pem, StandardCharsets.US_ASCII).replaceAll("-----[^-]+-----|\\s", "");
        var spec = new PKCS8EncodedKeySpec(decoded(text));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException e) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }

    @Override
    public void close() {
        send("DELETE", "/api/v1/namespaces/" + namespace, PLAIN, "");
        client.close();
    }
}
