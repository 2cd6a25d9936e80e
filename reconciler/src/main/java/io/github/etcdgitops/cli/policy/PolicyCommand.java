package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "policy",
        description = "Lists, explains and tests the rules, and replays them on published plans.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class PolicyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    public static CommandLine of(Surface process) {
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
