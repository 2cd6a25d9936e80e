package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "backup",
        description = "Takes, lists, verifies and deletes backups by hand. Runs do the same, as schedules and retention"
                + " say.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class BackupCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    public static CommandLine of(Surface process) {
        return new CommandLine(new BackupCommand())
                .addSubcommand(new BackupCreateCommand(process))
                .addSubcommand(new BackupListCommand(process))
                .addSubcommand(new BackupVerifyCommand(process))
                .addSubcommand(new BackupPruneCommand(process));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "a command is missing: create, list, verify or prune");
    }
}
