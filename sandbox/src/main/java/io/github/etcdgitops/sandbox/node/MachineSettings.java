package io.github.etcdgitops.sandbox.node;

import java.nio.file.Path;
import java.time.Duration;

/// Where machines keep their files, how many there are, and how patient they are.
///
/// `impatience` is how often a container is asked that is not started or not ready yet, whatever its probe's
/// period. `configDelay` is how long a changed ConfigMap or Secret takes to reach the files of a pod that did
/// not change.
public record MachineSettings(Path folder, int nodes, BackOffs backOff, Duration impatience, Duration configDelay) {
    /// Pauses before a container is started again: `first`, twice as long each time, `longest`; `first` again
    /// after it ran for `quiet`.
    public record BackOffs(Duration first, Duration longest, Duration quiet) {}

    public MachineSettings {
        folder = folder.toAbsolutePath();
        if (nodes < 1) {
            throw new IllegalArgumentException("at least one machine, not " + nodes);
        }
    }

    public static MachineSettings of(Path folder, int nodes) {
        return new MachineSettings(
                folder,
                nodes,
                new BackOffs(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(10)),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3));
    }
}
