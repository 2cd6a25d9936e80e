package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;

/// One request to a location, for messages. Causes are dropped on purpose: they quote servers, and may
/// quote secrets.
public record Call(String what, boolean changes, String hint) {
    public static Call reading(String what) {
        return new Call(what, false, "");
    }

    public static Call changing(String what) {
        return new Call(what, true, "");
    }

    /// What to check first where the server is not found or is another one.
    public Call hinting(String more) {
        return new Call(what, changes, more);
    }

    /// The store refused, or was never reached: nothing happened.
    public GatewayException refused(Kind kind, String advice) {
        return new GatewayException(kind, false, what + ": " + advice);
    }

    /// If it changes anything, it is unknown whether it happened.
    public GatewayException lost(String advice) {
        return new GatewayException(Kind.UNREACHABLE, changes, what + ": " + advice);
    }

    /// For streams, which may only throw IOException.
    public static IOException inStream(GatewayException failure) {
        return new IOException(failure.getMessage(), failure);
    }

    /// The reverse of [#inStream].
    public static GatewayException cause(IOException failure) {
        if (failure.getCause() instanceof GatewayException known) {
            return known;
        }
        throw new IllegalStateException("our own stream failed", failure);
    }
}
