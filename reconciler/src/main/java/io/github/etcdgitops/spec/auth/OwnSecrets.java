package io.github.etcdgitops.spec.auth;

import java.util.List;

/// The names of the Secrets that a ring has itself: its certificates, and the password of its `root`.
public final class OwnSecrets {
    /// What follows the ring's name.
    public static final List<String> ENDS =
            List.of("-ca", "-ca-next", "-peer-tls", "-server-tls", "-client-tls", "-root-tls", "-root-auth");

    private OwnSecrets() {}

    public static boolean has(String ring, String secret) {
        return secret.startsWith(ring) && ENDS.contains(secret.substring(ring.length()));
    }
}
