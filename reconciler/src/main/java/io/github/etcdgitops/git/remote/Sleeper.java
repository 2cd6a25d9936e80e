package io.github.etcdgitops.git.remote;

import java.time.Duration;

/// How to wait. Passed in, so that nothing here sleeps by itself.
@FunctionalInterface
public interface Sleeper {
    void sleep(Duration duration) throws InterruptedException;
}
