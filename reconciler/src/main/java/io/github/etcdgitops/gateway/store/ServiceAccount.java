package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.spec.StoreEndpoint;
import java.net.URI;
import java.security.interfaces.RSAPrivateKey;

/// A Google service account, as its JSON file says. Never printed.
record ServiceAccount(String email, String keyId, RSAPrivateKey key, URI tokenUri) {
    StoreEndpoint tokenServer() {
        return HttpEndpoint.server(tokenUri.toString()).orElseThrow();
    }

    @Override
    public String toString() {
        return "ServiceAccount[***]";
    }
}
