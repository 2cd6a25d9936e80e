package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "versions",
        description = "Proposes releases of etcd for the rings of a config repository.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class VersionsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    public static CommandLine of(Surface process) {
        return new CommandLine(new VersionsCommand()).addSubcommand(new VersionsProposeCommand(process));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing: propose");
    }
}
