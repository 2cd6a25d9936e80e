package io.github.etcdgitops.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
    private final Cli.Surface process;

    VersionCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        for (String line : new Version().getVersion()) {
            process.out().println(line);
        }
        return ExitCode.SUCCESS.code();
    }
}
