package io.github.etcdgitops.it;

import io.github.etcdgitops.spec.auth.TokenKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;

/// Private keys as PEM, made once for all tests.
public final class SigningKeys {
    public static final String RSA = pem("RSA", 2048);
    public static final String OTHER_RSA = pem("RSA", 2048);
    public static final String EC = pem("EC", 256);
    private static final String EC_384 = pem("EC", 384);
    private static final String EC_521 = pem("EC", 521);

    private SigningKeys() {}

    /// One that the method signs with.
    public static String of(TokenKey.Method method) {
        return switch (method) {
            case RS256, RS384, RS512, PS256, PS384, PS512 -> RSA;
            case ES256 -> EC;
            case ES384 -> EC_384;
            case ES512 -> EC_521;
        };
    }

    private static String pem(String algorithm, int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(key);
            return "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
