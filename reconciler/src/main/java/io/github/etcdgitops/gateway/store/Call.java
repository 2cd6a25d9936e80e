package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;

/// One thing asked of a place, for messages. Causes are dropped on purpose: they quote servers, and may
/// quote secrets.
record Call(String what, boolean changes, String hint) {
    static Call reading(String what) {
        return new Call(what, false, "");
    }

    static Call changing(String what) {
        return new Call(what, true, "");
    }

    /// What to look at first where the server is not found or is another one.
    Call hinting(String more) {
        return new Call(what, changes, more);
    }

    /// The store said no, or was never reached: nothing happened.
    GatewayException refused(Kind kind, String advice) {
        return new GatewayException(kind, false, what + ": " + advice);
    }

    /// Nobody knows whether it happened, where it changes anything.
    GatewayException lost(String advice) {
        return new GatewayException(Kind.UNREACHABLE, changes, what + ": " + advice);
    }

    /// For streams, which may only throw this.
    static IOException inStream(GatewayException failure) {
        return new IOException(failure.getMessage(), failure);
    }

    /// And back again.
    static GatewayException cause(IOException failure) {
        if (failure.getCause() instanceof GatewayException known) {
            return known;
        }
        throw new IllegalStateException("a stream of ours failed in other words", failure);
    }
}
