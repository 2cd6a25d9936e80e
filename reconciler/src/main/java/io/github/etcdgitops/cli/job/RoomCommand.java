package io.github.etcdgitops.cli.job;

import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.receive.Room;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// For the pod that checks the room on a volume; not for people.
@Command(
        name = "room",
        hidden = true,
        description = "Prints how many bytes are free on a volume, before its ring is shut down for a restore.",
        mixinStandardHelpOptions = true)
public final class RoomCommand implements Callable<Integer> {
    private final Surface process;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "Where the volume is mounted.")
    Path dir = Path.of("");

    @Option(names = "--message", required = true, paramLabel = "FILE", description = "File for the result.")
    Path message = Path.of("");

    public RoomCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        return ReceiveCommand.end(Room.tell(dir, message), process);
    }
}
