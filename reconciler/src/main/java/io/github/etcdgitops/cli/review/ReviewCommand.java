package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.cli.console.CommandGroup;
import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;

/// The commands for pull requests.
public final class ReviewCommand {
    private ReviewCommand() {}

    public static CommandLine of(Surface process) {
        return CommandGroup.of(
                "review",
                "Reports a plan to a pull request on GitHub, GitLab or Gitea.",
                new ReviewCommentCommand(process),
                new ReviewStatusCommand(process));
    }
}
