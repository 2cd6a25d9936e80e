package io.github.etcdgitops.cli.console;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// A command that does nothing by itself: the commands below it do.
public final class CommandGroup implements Runnable {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private CommandGroup(String name, String description) {
        spec.name(name).mixinStandardHelpOptions(true);
        spec.usageMessage().description(description).synopsisSubcommandLabel("COMMAND");
    }

    /// `commands` in the order of the help text.
    public static CommandLine of(String name, String description, Object... commands) {
        var line = new CommandLine(new CommandGroup(name, description).spec);
        for (Object command : commands) {
            line.addSubcommand(command);
        }
        return line;
    }

    @Override
    public void run() {
        var names = String.join(", ", spec.subcommands().keySet());
        int last = names.lastIndexOf(", ");
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: "
                        + (last < 0 ? names : names.substring(0, last) + " or " + names.substring(last + 2)));
    }
}
