package io.github.etcdgitops.execute;

import java.io.Serial;

/// Thrown out of a [Pause] when this process must end: the work that waits is left to the next run. As safe
/// as a crash at that point.
public final class Stopped extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public Stopped(String reason) {
        super(reason);
    }
}
