package io.github.etcdgitops.cli.console;

import java.time.InstantSource;
import java.util.Map;

/// What a command may use of the process it runs in.
public record Surface(Map<String, String> environment, InertStream out, InertStream err, Terminal terminal) {
    /// The process's clock, which its root hands on.
    public static InstantSource clock() {
        return InstantSource.system();
    }
}
