package io.github.etcdgitops.gateway.store.credential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.GatewayException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// Reads the JSON file of a Google service account.
public final class ServiceAccountFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ServiceAccountFile() {}

    public static ServiceAccount parse(String text, Path path) {
        JsonNode tree;
        try {
            tree = JSON.readTree(text);
        } catch (JsonProcessingException _) {
            throw CredentialFolder.unusable(path, "is not JSON");
        }
        return new ServiceAccount(
                field(tree, "client_email", path),
                tree.path("private_key_id").asText(),
                key(field(tree, "private_key", path), path),
                uri(field(tree, "token_uri", path), path));
    }

    private static String field(JsonNode tree, String name, Path path) {
        String value = tree.path(name).asText();
        if (value.isEmpty()) {
            throw CredentialFolder.unusable(
                    path, "has no '" + name + "'; it must be the JSON key of a service account");
        }
        return value;
    }

    private static RSAPrivateKey key(String pem, Path path) {
        String body = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "").replaceAll("\\s", "");
        try {
            var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
            return (RSAPrivateKey) KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            throw unreadableKey(path);
        }
    }

    private static GatewayException unreadableKey(Path path) {
        return CredentialFolder.unusable(path, "has a 'private_key' that is not an RSA key in PKCS#8 PEM");
    }

    private static URI uri(String text, Path path) {
        var server = HttpEndpoint.server(text);
        if (server.isEmpty()) {
            throw CredentialFolder.unusable(path, "has a 'token_uri' that is not an http or https address");
        }
        if (!server.get().tls() && !server.get().loopback()) {
            throw CredentialFolder.unusable(path, "has a 'token_uri' without TLS; expected https://…");
        }
        return URI.create(text);
    }
}
