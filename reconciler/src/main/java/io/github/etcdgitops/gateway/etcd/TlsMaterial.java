package io.github.etcdgitops.gateway.etcd;

import java.util.Arrays;
import java.util.Optional;

/// What a TLS connection needs, as PEM: the CA of the ring's servers, and our certificate where the servers
/// require one. Never printed.
@SuppressWarnings("ArrayRecordComponent") // compared by content and copied on the way in
public record TlsMaterial(byte[] caPem, Optional<ClientCertificate> client) {
    public TlsMaterial {
        caPem = caPem.clone();
    }

    public TlsMaterial(byte[] caPem, byte[] certPem, byte[] keyPem) {
        this(caPem, Optional.of(new ClientCertificate(certPem, keyPem)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TlsMaterial(byte[] ca, var certificate)
                && Arrays.equals(caPem, ca)
                && client.equals(certificate);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(caPem) + client.hashCode();
    }

    @Override
    public String toString() {
        return "TlsMaterial[***]";
    }

    /// Our certificate and its key. The key is in PKCS#8 form, which starts with `BEGIN PRIVATE KEY`.
    @SuppressWarnings("ArrayRecordComponent") // compared by content and copied on the way in
    public record ClientCertificate(byte[] certPem, byte[] keyPem) {
        public ClientCertificate {
            certPem = certPem.clone();
            keyPem = keyPem.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ClientCertificate(byte[] cert, byte[] key)
                    && Arrays.equals(certPem, cert)
                    && Arrays.equals(keyPem, key);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(certPem);
        }

        @Override
        public String toString() {
            return "ClientCertificate[***]";
        }
    }
}
