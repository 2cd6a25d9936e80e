package io.github.etcdgitops.gateway.etcd;

import java.util.Arrays;

/// What a connection over TLS needs, as PEM: the CA of the ring's servers, our certificate and its key. The key is in
/// PKCS#8 form, which begins with `BEGIN PRIVATE KEY`. Never printed.
@SuppressWarnings("ArrayRecordComponent") // compared by content and copied on the way in
public record TlsMaterial(byte[] caPem, byte[] certPem, byte[] keyPem) {
    public TlsMaterial {
        caPem = caPem.clone();
        certPem = certPem.clone();
        keyPem = keyPem.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TlsMaterial(byte[] ca, byte[] cert, byte[] key)
                && Arrays.equals(caPem, ca)
                && Arrays.equals(certPem, cert)
                && Arrays.equals(keyPem, key);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(caPem) + Arrays.hashCode(certPem);
    }

    @Override
    public String toString() {
        return "TlsMaterial[***]";
    }
}
