package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.image.Image;
import io.github.etcdgitops.sandbox.image.ImageUnavailable;
import io.github.etcdgitops.sandbox.image.Images;
import io.github.etcdgitops.sandbox.process.Containment;
import io.github.etcdgitops.sandbox.process.Ledger;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Makes processes of containers.
record Engine(Images images, Containment containment, Ledger ledger, InstantSource clock, Consumer<String> progress) {
    /// A container that is to be started: whose it is, where its root is, which address it has.
    record Order(ContainerSpec container, JsonNode pod, Path root, String address) {}

    /// The first time it may take minutes.
    Image pull(ContainerSpec container) throws InterruptedException {
        try {
            return images.pull(container.image(), progress);
        } catch (ImageUnavailable e) {
            throw new StartFailure(
                    "ImagePullBackOff", "Back-off pulling image \"" + container.image() + "\": " + e.getMessage());
        }
    }

    RunningContainer start(Order order, Image image, Map<String, Path> volumes, Path log) {
        ContainerSpec container = order.container();
        Environment environment = Environment.of(container, order.pod(), order.address());
        var mounts = new ArrayList<Containment.Mount>();
        image.layers().forEach(layer -> mounts.add(new Containment.Mount(layer.source(), layer.path(), true)));
        for (ContainerSpec.Mount mount : container.mounts()) {
            Path source = volumes.get(mount.volume());
            if (source == null) {
                throw StartFailure.volume(mount.volume(), "the pod has no such volume");
            }
            mounts.add(new Containment.Mount(source, mount.path(), mount.readOnly()));
        }
        var cell = new Containment.Cell(
                order.root(), mounts, environment.variables(), environment.line(container.line(image.entrypoint())));
        try {
            Process process = containment
                    .builder(cell)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            ledger.add(process.pid());
            process.getOutputStream().close();
            return new RunningContainer(
                    process, new ContainerView.Running(process.pid(), clock.instant()), environment);
        } catch (IOException e) {
            throw new StartFailure("CreateContainerError", e.toString());
        }
    }

    /// Runs a command beside the container's process; whether it ended well, and in time.
    boolean exec(RunningContainer in, List<String> command, Duration atMost) throws IOException, InterruptedException {
        Process process = beside(in, command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        in.commands().add(process);
        try {
            return in.process().isAlive()
                    && process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)
                    && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
            in.commands().remove(process);
        }
    }

    /// The same for a person: copies to `output` what the command writes, and returns its exit code.
    int exec(RunningContainer in, List<String> command, OutputStream output) throws IOException, InterruptedException {
        Process process = beside(in, command).start();
        in.commands().add(process);
        try {
            process.getInputStream().transferTo(output);
            return process.waitFor();
        } finally {
            process.destroyForcibly();
            in.commands().remove(process);
        }
    }

    private ProcessBuilder beside(RunningContainer in, List<String> command) {
        return containment
                .enter(
                        in.process().pid(),
                        in.environment().variables(),
                        in.environment().probe(command))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true);
    }

    void ended(RunningContainer container) throws InterruptedException {
        for (Process command : container.commands()) {
            command.destroyForcibly().waitFor();
        }
        ledger.remove(container.process().pid());
    }
}
