package io.github.etcdgitops.execute.lease;

import java.time.Duration;

/// The passing of time, as a port: real in production, simulated in tests. Waiting happens nowhere else.
@FunctionalInterface
public interface Pause {
    void pass(Duration duration);
}
