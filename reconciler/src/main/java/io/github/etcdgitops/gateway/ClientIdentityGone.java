package io.github.etcdgitops.gateway;

import java.io.Serial;

/// The Secret with our client certificate for a ring does not exist, so no member of the ring can be called.
public final class ClientIdentityGone extends GatewayException {
    @Serial
    private static final long serialVersionUID = 1L;

    public ClientIdentityGone(String message) {
        super(Kind.UNAUTHORIZED, false, message);
    }
}
