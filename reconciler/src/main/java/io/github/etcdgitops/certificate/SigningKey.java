package io.github.etcdgitops.certificate;

import java.security.PrivateKey;
import java.security.interfaces.ECKey;
import java.util.Optional;

/// What may be known of a private key: its algorithm, by its name in the JDK, and the size of its curve in
/// bits, or 0.
public record SigningKey(String algorithm, int curve) {
    /// The first private key in a PEM text. Empty where there is none that is readable without a password.
    public static Optional<SigningKey> of(byte[] pem) {
        return Pem.key(pem).map(SigningKey::of);
    }

    private static SigningKey of(PrivateKey key) {
        int curve =
                key instanceof ECKey ec ? ec.getParams().getCurve().getField().getFieldSize() : 0;
        return new SigningKey(key.getAlgorithm(), curve);
    }
}
