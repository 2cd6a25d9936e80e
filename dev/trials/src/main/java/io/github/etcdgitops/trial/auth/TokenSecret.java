package io.github.etcdgitops.trial.auth;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.etcdgitops.trial.bench.Bench;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

/// A Secret with a private key for the tokens of a ring, as its owner makes it.
record TokenSecret(String algorithm, int bits, String method) {
    void make(Bench bench, String ring) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        String pem = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
        bench.kube()
                .secrets()
                .inNamespace(bench.namespace())
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name(ring))
                        .endMetadata()
                        .withStringData(Map.of("tls.key", pem))
                        .build())
                .create();
    }

    private String name(String ring) {
        return ring + "-token-" + method.toLowerCase(Locale.ROOT);
    }

    /// Below `auth`, in the document of the ring.
    String field(String ring) {
        return "  token: {jwt: {secretKeyRef: {name: %s, key: tls.key}, signMethod: %s}}\n"
                .formatted(name(ring), method);
    }
}
