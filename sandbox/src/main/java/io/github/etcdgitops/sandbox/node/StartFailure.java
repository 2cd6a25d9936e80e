package io.github.etcdgitops.sandbox.node;

import java.io.Serial;

/// A container cannot be started now. It is tried again; meanwhile its state is waiting, with this reason and
/// message.
final class StartFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String why;

    StartFailure(String reason, String why) {
        super(why);
        this.reason = reason;
        this.why = why;
    }

    /// A volume that is not there (yet).
    static StartFailure volume(String volume, String why) {
        return new StartFailure("ContainerCreating", "volume \"" + volume + "\": " + why);
    }

    String reason() {
        return reason;
    }

    String why() {
        return why;
    }
}
