package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "catalog",
        description = "Checks and shows what is known about the releases of etcd.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class CatalogCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    public static CommandLine of(Surface process) {
        return new CommandLine(new CatalogCommand()).addSubcommand(new CatalogCheckCommand(process));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing: check");
    }
}
