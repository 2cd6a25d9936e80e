package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;

/// One thing asked of a place, for messages. Causes are dropped on purpose: they quote servers, and may
/// quote secrets.
public record Call(String what, boolean changes, String hint) {
    public static Call reading(String what) {
        return new Call(what, false, "");
    }

    public static Call changing(String what) {
        return new Call(what, true, "");
    }

    /// What to look at first where the server is not found or is another one.
    public Call hinting(String more) {
        return new Call(what, changes, more);
    }

    /// The store said no, or was never reached: nothing happened.
    public GatewayException refused(Kind kind, String advice) {
        return new GatewayException(kind, false, what + ": " + advice);
    }

    /// Nobody knows whether it happened, where it changes anything.
    public GatewayException lost(String advice) {
        return new GatewayException(Kind.UNREACHABLE, changes, what + ": " + advice);
    }

    /// For streams, which may only throw this.
    public static IOException inStream(GatewayException failure) {
        return new IOException(failure.getMessage(), failure);
    }

    /// And back again.
    public static GatewayException cause(IOException failure) {
        if (failure.getCause() instanceof GatewayException known) {
            return known;
        }
        throw new IllegalStateException("our own stream failed", failure);
    }
}
