package io.github.etcdgitops.trial.fault;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A volume of a few mebibytes in memory, in a mount namespace of its own: root is not needed. Who is started with
/// `before` sees it, and nobody else.
public final class SmallDisk implements AutoCloseable {
    private static final String MOUNT_AND_STAY = """
        set -e
        mount -t tmpfs -o size="$2" tmpfs "$1"
        echo mounted
        read -r _
        """;

    private final Path folder;
    private final Process holder;

    public SmallDisk(Path folder, String size) throws IOException {
        this.folder = folder;
        this.holder = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        MOUNT_AND_STAY,
                        "sh",
                        folder.toString(),
                        size)
                .redirectErrorStream(true)
                .start();
        String said = holder.inputReader().readLine();
        TrialFailure.unless("mounted".equals(said), "no small volume is to be had here: " + said);
    }

    /// Words that start a command where the volume is seen.
    public List<String> before() {
        return List.of(
                "nsenter", "--target", Long.toString(holder.pid()), "--user", "--preserve-credentials", "--mount");
    }

    public void resize(String size) throws IOException, InterruptedException {
        run("mount", "-o", "remount,size=" + size, folder.toString());
    }

    /// What is in it, hidden files too.
    public String files() throws IOException, InterruptedException {
        return run("find", folder.toString(), "-type", "f");
    }

    private String run(String... words) throws IOException, InterruptedException {
        var line = new ArrayList<>(before());
        line.addAll(List.of(words));
        return Command.run(new ProcessBuilder(line), "");
    }

    @Override
    public void close() {
        holder.destroy();
        EtcdProcess.await("the end of a volume", Duration.ofSeconds(20), () -> !holder.isAlive());
    }
}
