package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.pipeline.environment.RunException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// What a command may use of its process.
public record Surface(Map<String, String> environment, InertStream out, InertStream err, Terminal terminal) {
    /// The process's clock, which its root passes on.
    public static InstantSource clock() {
        return InstantSource.system();
    }

    public static void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
        if (Thread.interrupted()) {
            throw new RunException(RunException.Kind.TEMPORARY, "interrupted");
        }
    }
}
