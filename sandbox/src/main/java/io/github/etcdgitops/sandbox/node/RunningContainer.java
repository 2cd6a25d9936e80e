package io.github.etcdgitops.sandbox.node;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The process that a container is now, and the commands that run beside it.
record RunningContainer(Process process, ContainerView.Running view, Environment environment, Set<Process> commands) {
    RunningContainer(Process process, ContainerView.Running view, Environment environment) {
        this(process, view, environment, ConcurrentHashMap.newKeySet());
    }

    /// Waits at most so long; whether it has ended.
    boolean ended(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Asks it to end, and sees to it when the time is up. Returns at once.
    void end(Duration grace) {
        if (grace.isZero()) {
            process.destroyForcibly();
            return;
        }
        process.destroy();
        Thread.ofVirtual().start(() -> {
            try {
                if (!ended(grace)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// With whatever it has started: they stand still, or go on where they stood.
    void freeze(boolean still) throws IOException, InterruptedException {
        var line = new ArrayList<>(List.of("kill", still ? "-STOP" : "-CONT"));
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .forEach(each -> line.add(Long.toString(each.pid())));
        new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}
