package io.github.etcdgitops.execute.lease;

import java.io.Serial;

/// This run may not touch the ring any more: another one holds its Lease or wrote its journal. Ends the ring's
/// part of the run.
public final class Fenced extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public Fenced(String message) {
        super(message);
    }
}
