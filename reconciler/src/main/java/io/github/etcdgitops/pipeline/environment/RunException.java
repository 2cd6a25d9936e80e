package io.github.etcdgitops.pipeline.environment;

import java.io.Serial;

/// The whole run cannot continue, for a reason that its caller can fix. The message is safe to print.
public final class RunException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// The cause; the exit code follows from it.
    public enum Kind {
        /// A flag or setting is wrong.
        CONFIGURATION,
        /// A later attempt may succeed.
        TEMPORARY,
        UNAUTHORIZED,
        /// The saved plan differs from the plan that would be made now.
        STALE
    }

    private final Kind kind;

    public RunException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
