package io.github.etcdgitops.gateway.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;

/// A service account that no Google knows, as the JSON that one downloads.
final class Keys {
    static final KeyPair PAIR = pair();
    static final String EMAIL = "backups@example.iam.gserviceaccount.com";

    private Keys() {}

    private static KeyPair pair() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String serviceAccount(URI tokenUri) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(PAIR.getPrivate().getEncoded());
        try {
            return new ObjectMapper()
                    .writeValueAsString(Map.of(
                            "type",
                            "service_account",
                            "client_email",
                            EMAIL,
                            "private_key_id",
                            "key-1",
                            "private_key",
                            "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n",
                            "token_uri",
                            tokenUri.toString()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
