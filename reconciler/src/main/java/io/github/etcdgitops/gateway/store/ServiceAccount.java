package io.github.etcdgitops.gateway.store;

import java.net.URI;
import java.security.interfaces.RSAPrivateKey;

/// A Google service account, as its JSON file says. Never printed.
record ServiceAccount(String email, String keyId, RSAPrivateKey key, URI tokenUri) {
    @Override
    public String toString() {
        return "ServiceAccount[***]";
    }
}
