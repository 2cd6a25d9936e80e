package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Version;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
    private final Surface process;

    VersionCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        Version.print(process.out());
        return ExitCode.SUCCESS.code();
    }
}
