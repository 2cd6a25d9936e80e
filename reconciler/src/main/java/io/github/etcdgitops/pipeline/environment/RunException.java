package io.github.etcdgitops.pipeline.environment;

import java.io.Serial;

/// The whole run cannot go on, for a reason that its caller can do something about. The message is safe to
/// print.
public final class RunException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// What stands in the way; the exit code follows from it.
    public enum Kind {
        /// A flag or setting is wrong.
        CONFIGURATION,
        /// It may work another time.
        TEMPORARY,
        UNAUTHORIZED,
        /// The saved plan is not what would be planned now.
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
