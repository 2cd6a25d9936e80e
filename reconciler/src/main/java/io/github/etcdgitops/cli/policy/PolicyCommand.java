package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.CommandGroup;
import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;

/// The commands about rules.
public final class PolicyCommand {
    private PolicyCommand() {}

    public static CommandLine of(Surface process) {
        return CommandGroup.of(
                "policy",
                "Lists, explains and tests the rules, and replays them on published plans.",
                new PolicyListCommand(process),
                new PolicyExplainCommand(process),
                new PolicyTestCommand(process),
                new PolicyReplayCommand(process));
    }
}
