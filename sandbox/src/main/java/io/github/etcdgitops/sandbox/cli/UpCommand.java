package io.github.etcdgitops.sandbox.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "up",
        description = "Starts a sandbox in the background and prints its kubeconfig once the API answers.",
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Mixin
    private final ServeOptions options = new ServeOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var home = folder.home().create();
        if (home.running().isEmpty()) {
            start(home);
        }
        System.out.println(home.kubeconfig());
        return 0;
    }

    /// A session of its own, so that an interrupt in this terminal is not the sandbox's end.
    private void start(Home home) throws IOException, InterruptedException {
        home.forget();
        var command = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--dir",
                home.folder().toString()));
        command.addAll(options.words());
        var process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.log().toFile())
                .start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(home.kubeconfig())) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                process.destroy();
                throw new IOException("the sandbox did not start:\n" + Files.readString(home.log()));
            }
        }
    }
}
