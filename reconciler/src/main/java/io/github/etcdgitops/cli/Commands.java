package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.backup.BackupCommand;
import io.github.etcdgitops.cli.backup.DrillCommand;
import io.github.etcdgitops.cli.backup.RestoreCommand;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.job.CopyCommand;
import io.github.etcdgitops.cli.job.ReceiveCommand;
import io.github.etcdgitops.cli.job.RoomCommand;
import io.github.etcdgitops.cli.job.SettleCommand;
import io.github.etcdgitops.cli.job.TellCommand;
import io.github.etcdgitops.cli.policy.PolicyCommand;
import io.github.etcdgitops.cli.release.AdvisoriesCommand;
import io.github.etcdgitops.cli.release.ReleaseCommands;
import io.github.etcdgitops.cli.review.ReviewCommand;
import io.github.etcdgitops.cli.run.ApplyCommand;
import io.github.etcdgitops.cli.run.PlanCommand;
import io.github.etcdgitops.cli.run.ReconcileCommand;
import io.github.etcdgitops.cli.run.ServeCommand;
import io.github.etcdgitops.cli.run.ValidateCommand;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;

/// The commands by name. picocli reads each command by reflection, and a command loads the classes of its
/// work, so a process builds only the command that it runs.
final class Commands {
    /// In the order of the help text.
    static final List<String> NAMES = List.of(
            "validate",
            "plan",
            "apply",
            "reconcile",
            "serve",
            "status",
            "volumes",
            "approve",
            "backup",
            "restore",
            "drill",
            "adopt",
            "doctor",
            "schema",
            "features",
            "catalog",
            "advisories",
            "upgrade",
            "versions",
            "policy",
            "review",
            "receive",
            "settle",
            "copy",
            "tell",
            "room",
            "completion",
            "version",
            "help");

    private Commands() {}

    /// All commands, below the root command.
    static CommandLine all(CommandLine root, Surface process) {
        return with(root, process, NAMES);
    }

    /// Only the command that the arguments name; all if the answer may be about others too: help, completion,
    /// and an unknown command.
    static CommandLine named(CommandLine root, Surface process, String[] args) {
        boolean alone = args.length > 0
                && NAMES.contains(args[0])
                && !List.of("completion", "help").contains(args[0]);
        return alone ? with(root, process, List.of(args[0])) : all(root, process);
    }

    private static CommandLine with(CommandLine root, Surface process, List<String> names) {
        names.forEach(name -> root.addSubcommand(name, command(process, name)));
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    }

    private static Object command(Surface process, String name) {
        return switch (name) {
            case "validate" -> new ValidateCommand(process);
            case "plan" -> new PlanCommand(process);
            case "apply" -> new ApplyCommand(process);
            case "reconcile" -> new ReconcileCommand(process);
            case "serve" -> new ServeCommand(process);
            case "status" -> new StatusCommand(process);
            case "volumes" -> new VolumesCommand(process);
            case "approve" -> new ApproveCommand(process);
            case "backup" -> BackupCommand.of(process);
            case "restore" -> new RestoreCommand(process);
            case "drill" -> new DrillCommand(process);
            case "adopt" -> new AdoptCommand(process);
            case "doctor" -> new DoctorCommand(process);
            case "schema" -> new SchemaCommand(process);
            case "features" -> new FeaturesCommand(process);
            case "catalog" -> ReleaseCommands.catalog(process);
            case "advisories" -> new AdvisoriesCommand(process);
            case "upgrade" -> ReleaseCommands.upgrade(process);
            case "versions" -> ReleaseCommands.versions(process);
            case "policy" -> PolicyCommand.of(process);
            case "review" -> ReviewCommand.of(process);
            case "receive" -> new ReceiveCommand(process);
            case "settle" -> new SettleCommand(process);
            case "copy" -> new CopyCommand(process);
            case "tell" -> new TellCommand(process);
            case "room" -> new RoomCommand(process);
            case "completion" -> completion();
            case "version" -> new VersionCommand(process);
            case "help" -> new CommandLine.HelpCommand();
            default -> throw new IllegalArgumentException("there is no command " + name);
        };
    }

    private static CommandLine completion() {
        var completion = new CommandLine(new AutoComplete.GenerateCompletion());
        completion
                .getCommandSpec()
                .name("completion")
                .usageMessage()
                .description("Prints a completion script for bash and zsh:", "  source <(etcd-gitops completion)");
        return completion;
    }
}
