package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.CommandGroup;
import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;

/// The commands for backups by hand.
public final class BackupCommand {
    private BackupCommand() {}

    public static CommandLine of(Surface process) {
        return CommandGroup.of(
                "backup",
                "Takes, lists, verifies and deletes backups by hand. Runs do the same, as schedules and retention"
                        + " say.",
                new BackupCreateCommand(process),
                new BackupListCommand(process),
                new BackupVerifyCommand(process),
                new BackupPruneCommand(process));
    }
}
