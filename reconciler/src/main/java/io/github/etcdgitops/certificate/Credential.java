package io.github.etcdgitops.certificate;

import java.util.Arrays;

/// A certificate, with any intermediate certificates, and its key, as PEM. Never printed.
@SuppressWarnings("ArrayRecordComponent") // compared by content, and copied on the way in and out
public record Credential(byte[] certificatePem, byte[] keyPem) {
    public Credential {
        certificatePem = certificatePem.clone();
        keyPem = keyPem.clone();
    }

    @Override
    public byte[] certificatePem() {
        return certificatePem.clone();
    }

    @Override
    public byte[] keyPem() {
        return keyPem.clone();
    }

    /// With its key in PKCS#8 form, the only form that our own client reads; etcd reads all of them.
    /// Unchanged where the key cannot be read.
    public Credential inPkcs8() {
        return Pem.key(keyPem)
                .map(key -> new Credential(certificatePem, Pem.key(key)))
                .orElse(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Credential(byte[] certificate, byte[] key)
                && Arrays.equals(certificatePem, certificate)
                && Arrays.equals(keyPem, key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(certificatePem);
    }

    @Override
    public String toString() {
        return "Credential[***]";
    }
}
