package io.github.etcdgitops.execute.lease;

import java.time.Duration;

/// Waiting, as a port: real in production, simulated in tests. Nothing waits anywhere else.
@FunctionalInterface
public interface Pause {
    void pass(Duration duration);
}
