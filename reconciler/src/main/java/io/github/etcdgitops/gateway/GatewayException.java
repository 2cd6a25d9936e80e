package io.github.etcdgitops.gateway;

import java.io.Serial;

/// A call to the outside failed. The message is safe to print: codes and our own words, never a server's
/// body.
public sealed class GatewayException extends RuntimeException
        permits ClientIdentityGone, GatewayException.RootUnusable {
    @Serial
    private static final long serialVersionUID = 1L;

    /// The kind of failure, which decides what a caller may do about it.
    public enum Kind {
        UNREACHABLE,
        TIMEOUT,
        UNAUTHORIZED,
        /// The object was changed by another writer, or exists already: read again, decide again.
        CONFLICT,
        NOT_FOUND,
        /// The server understood the request and refused it.
        REJECTED
    }

    private final Kind kind;
    private final boolean mayHaveHappened;

    public GatewayException(Kind kind, boolean mayHaveHappened, String message) {
        super(message);
        this.kind = kind;
        this.mayHaveHappened = mayHaveHappened;
    }

    public GatewayException(Kind kind, boolean mayHaveHappened, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.mayHaveHappened = mayHaveHappened;
    }

    public Kind kind() {
        return kind;
    }

    /// Whether the change may have taken effect although we got no answer. If true, check before repeating
    /// it.
    public boolean mayHaveHappened() {
        return mayHaveHappened;
    }

    /// A ring lets only its user `root` do this, and neither the certificate nor the password in our Secrets is one
    /// of `root`: a Secret does not exist, or etcd does not accept what is in it. Missing rights are no such case.
    public static final class RootUnusable extends GatewayException {
        @Serial
        private static final long serialVersionUID = 1L;

        public RootUnusable(String message) {
            super(Kind.UNAUTHORIZED, false, message);
        }
    }
}
