package io.github.etcdgitops.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "policy",
        description =
                "Tells which rules there are, which of them hold for which rings, and whether they do what they should.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class PolicyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    static CommandLine of(Cli.Surface process) {
        return new CommandLine(new PolicyCommand())
                .addSubcommand(new PolicyListCommand(process))
                .addSubcommand(new PolicyExplainCommand(process))
                .addSubcommand(new PolicyTestCommand(process))
                .addSubcommand(new PolicyReplayCommand(process));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "a command is missing: list, explain, test or replay");
    }
}
