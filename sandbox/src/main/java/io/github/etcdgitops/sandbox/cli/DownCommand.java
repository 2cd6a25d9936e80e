package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.node.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "down",
        description = "Ends a sandbox with all its processes, and deletes its folder.",
        mixinStandardHelpOptions = true)
final class DownCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Option(names = "--keep", description = "Leave the folder, with volumes and logs.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var home = folder.home();
        var running = home.running();
        if (running.isPresent()) {
            Control.ask(running.get(), "stop", List.of());
            awaitEnd(running.get());
        }
        // What a sandbox that was killed left behind.
        Machines.endLeftovers(home.folder());
        if (!keep && Files.exists(home.log())) {
            delete(home.folder());
        }
        return 0;
    }

    private static void awaitEnd(Home.Running running) throws IOException, InterruptedException {
        var process = ProcessHandle.of(running.pid());
        if (process.isEmpty()) {
            return;
        }
        try {
            process.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("process " + running.pid() + " did not end within " + PATIENCE.toSeconds()
                    + " seconds; see its log");
        }
    }

    /// Only what has a sandbox's log in it is taken for a sandbox's folder. Links are deleted, never followed.
    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
