package io.github.etcdgitops.gateway.store.credential;

import java.util.Optional;

/// A key for S3 or a compatible store. `region` is set where the files name one. Never printed.
public record AccessKey(String id, String secret, Optional<String> sessionToken, Optional<String> region) {
    @Override
    public String toString() {
        return "AccessKey[***]";
    }
}
