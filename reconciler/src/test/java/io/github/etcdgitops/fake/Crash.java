package io.github.etcdgitops.fake;

import java.io.Serial;

/// The run was killed here. An Error, so that no `catch` for exceptions in the code under test takes it for trouble
/// that it could handle: a killed process handles nothing. The world lives on.
public final class Crash extends Error {
    @Serial
    private static final long serialVersionUID = 1L;

    public Crash(String where) {
        super(where, null, false, false);
    }
}
