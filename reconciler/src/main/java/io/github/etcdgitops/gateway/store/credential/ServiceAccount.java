package io.github.etcdgitops.gateway.store.credential;

import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.net.URI;
import java.security.interfaces.RSAPrivateKey;

/// A Google service account, as its JSON file says. Never printed.
public record ServiceAccount(String email, String keyId, RSAPrivateKey key, URI tokenUri) {
    public StoreEndpoint tokenServer() {
        return HttpEndpoint.server(tokenUri.toString()).orElseThrow();
    }

    @Override
    public String toString() {
        return "ServiceAccount[***]";
    }
}
