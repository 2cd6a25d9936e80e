package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "review",
        description = "Reports a plan to a pull request on GitHub, GitLab or Gitea.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class ReviewCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    public static CommandLine of(Surface process) {
        return new CommandLine(new ReviewCommand())
                .addSubcommand(new ReviewCommentCommand(process))
                .addSubcommand(new ReviewStatusCommand(process));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing: comment or status");
    }
}
