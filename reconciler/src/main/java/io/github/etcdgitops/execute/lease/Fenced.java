package io.github.etcdgitops.execute.lease;

import java.io.Serial;

/// This run must not touch the ring any more: another one holds its Lease or wrote its journal. It ends the
/// run's work on this ring.
public final class Fenced extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public Fenced(String message) {
        super(message);
    }
}
