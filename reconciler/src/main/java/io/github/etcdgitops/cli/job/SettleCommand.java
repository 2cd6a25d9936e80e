package io.github.etcdgitops.cli.job;

import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.receive.RestoreCompletion;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// For the pod of a restore; not for people.
@Command(
        name = "settle",
        hidden = true,
        description = "Checks a restored data directory and removes the received snapshot. Runs in the last"
                + " container of a restore.",
        mixinStandardHelpOptions = true)
public final class SettleCommand implements Callable<Integer> {
    private final Surface process;

    @Option(names = "--file", required = true, paramLabel = "FILE", description = "The received snapshot.")
    Path file = Path.of("");

    @Option(names = "--data-dir", required = true, paramLabel = "DIR", description = "The restored data directory.")
    Path data = Path.of("");

    public SettleCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        return ReceiveCommand.end(RestoreCompletion.settle(file, data), process);
    }
}
