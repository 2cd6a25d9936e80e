package io.github.etcdgitops.gateway.store.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.store.credential.ServiceAccount;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// The statement that a service account signs and changes for an access token (RFC 7523).
final class GcsToken {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
    private static final int HOUR = 3600;

    private GcsToken() {}

    static String statement(ServiceAccount account, Instant now) {
        var header = new LinkedHashMap<String, Object>(Map.of("alg", "RS256", "typ", "JWT"));
        if (!account.keyId().isEmpty()) {
            header.put("kid", account.keyId());
        }
        var claims = Map.<String, Object>of(
                "iss", account.email(),
                "scope", SCOPE,
                "aud", account.tokenUri().toString(),
                "iat", now.getEpochSecond(),
                "exp", now.getEpochSecond() + HOUR);
        String signed = encoded(header) + "." + encoded(claims);
        return signed + "." + BASE64.encodeToString(sign(account, signed));
    }

    private static String encoded(Map<String, Object> part) {
        try {
            return BASE64.encodeToString(JSON.writeValueAsBytes(part));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and numbers cannot be written as JSON", e);
        }
    }

    private static byte[] sign(ServiceAccount account, String text) {
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(account.key());
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return signature.sign();
        } catch (GeneralSecurityException _) {
            // The cause is dropped on purpose: it may quote the key.
            throw new IllegalStateException("the service account's key cannot sign with RS256");
        }
    }
}
