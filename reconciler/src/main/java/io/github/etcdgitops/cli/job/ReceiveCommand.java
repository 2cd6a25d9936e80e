package io.github.etcdgitops.cli.job;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import io.github.etcdgitops.receive.Outcome;
import io.github.etcdgitops.receive.Receiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// For the pod of a restore; not for people.
@Command(
        name = "receive",
        hidden = true,
        description = "Waits for one snapshot and writes it to a file. Runs in the first container of a restore.",
        mixinStandardHelpOptions = true)
public final class ReceiveCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "PORT", description = "Default: " + SnapshotReceiver.PORT)
    int port = SnapshotReceiver.PORT;

    @Option(names = "--size", required = true, paramLabel = "BYTES", description = "Bytes of the snapshot.")
    long size;

    @Option(names = "--sha256", required = true, paramLabel = "HEX", description = "SHA-256 of the snapshot.")
    String sha256 = "";

    @Option(names = "--file", required = true, paramLabel = "FILE", description = "Where to write it.")
    Path file = Path.of("");

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "How long to wait for the sender. Default: 1800",
            defaultValue = "1800")
    int patience = 1800;

    public ReceiveCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (patience < 1 || patience > 86_400) {
            throw new ParameterException(spec.commandLine(), "--patience takes 1 to 86400 seconds");
        }
        var order = new Receiver.Order(content(), file, Duration.ofSeconds(patience));
        return end(new Receiver(order, process.out()::println).receive(port), process);
    }

    private SnapshotDigest content() {
        try {
            return new SnapshotDigest(size, sha256);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    static int end(Outcome outcome, Surface process) {
        if (outcome instanceof Outcome.Done) {
            process.out().println(outcome.message());
        } else {
            process.err().println("error: " + outcome.message());
        }
        return ExitCode.of(outcome).code();
    }
}
