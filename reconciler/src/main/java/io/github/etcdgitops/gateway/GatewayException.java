package io.github.etcdgitops.gateway;

import java.io.Serial;

/// The outside world failed. The message is safe to print: codes and our own words, never a server's body.
public final class GatewayException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// What kind of failure it was, and so what a caller may do about it.
    public enum Kind {
        UNREACHABLE,
        TIMEOUT,
        UNAUTHORIZED,
        /// Somebody else changed the object, or it exists already: read again, decide again.
        CONFLICT,
        NOT_FOUND,
        /// The server understood and said no.
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

    /// Whether the change may have been made although we did not hear so. True: look before doing it again.
    public boolean mayHaveHappened() {
        return mayHaveHappened;
    }
}
