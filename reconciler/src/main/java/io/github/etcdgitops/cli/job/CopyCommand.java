package io.github.etcdgitops.cli.job;

import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.OfflineWiring;
import io.github.etcdgitops.receive.Copying;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// For the pod that inspects a volume; not for people.
@Command(
        name = "copy",
        hidden = true,
        description = "Copies the data of a stopped member. Runs in the first container of a volume inspection.",
        mixinStandardHelpOptions = true)
public final class CopyCommand implements Callable<Integer> {
    private final Surface process;

    @Option(names = "--from", required = true, paramLabel = "DIR", description = "The member's data directory.")
    Path from = Path.of("");

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "Folder for the copy.")
    Path to = Path.of("");

    @Option(names = "--own", description = "Fail if a leader has sent the member its data as a snapshot.")
    boolean own;

    public CopyCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        return ReceiveCommand.end(
                own ? Copying.copyOwn(from, to, OfflineWiring.log()) : Copying.copy(from, to), process);
    }
}
