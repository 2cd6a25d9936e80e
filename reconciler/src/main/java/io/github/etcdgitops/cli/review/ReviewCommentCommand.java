package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.report.CommentBody;
import io.github.etcdgitops.review.StickyComment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "comment",
        description = "Creates or updates one comment in a pull request.",
        mixinStandardHelpOptions = true)
final class ReviewCommentCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Mixin
    private final ReviewOptions options = new ReviewOptions();

    @Option(
            names = "--pull-request",
            paramLabel = "N",
            description = "Its number. On GitLab: the number in the address of the merge request. Default: from the CI"
                    + " job.")
    @Nullable
    Long pullRequest;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            description = "File with the text, in Markdown, as `plan -o markdown=FILE` writes it.")
    Path from = Path.of("");

    @Option(
            names = "--untrusted",
            description = "The text comes from a job that ran code of an outsider. Show it as plain text, without"
                    + " links, mentions and headings.")
    boolean untrusted;

    @Option(names = "--report-url", paramLabel = "URL", description = "Address of the full report.")
    @Nullable
    String reportUrl;

    @Option(
            names = "--author",
            paramLabel = "NAME",
            description = "Account of the token. Needed if the forge does not tell it, as for a GitHub App."
                    + " Default: the account of CI jobs.")
    @Nullable
    String author;

    ReviewCommentCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        Long given = pullRequest;
        if (given != null && given <= 0) {
            throw new ParameterException(spec.commandLine(), "--pull-request must be a positive number");
        }
        Optional<String> report = Optional.ofNullable(reportUrl)
                .map(url -> ForgeOptions.address(spec, url, "--report-url").toString());
        var target = options.target(spec, process.environment());
        report.ifPresent(url -> ReviewOptions.requireNoSecret(target, "--report-url", url));
        long number = given != null
                ? given
                : target.job().pullRequest().orElseThrow(() -> ForgeOptions.missing(spec, "--pull-request"));
        String text = ReviewOptions.shown(target, from.toString(), ReviewOptions.read(from, !untrusted), process.err());
        try (var forge = ReviewWiring.open(target.where())) {
            int longest = forge.longestComment();
            String body = untrusted
                    ? CommentBody.quoted(target.context(), text, longest, report)
                    : CommentBody.of(target.context(), text, longest, report);
            var comment = ReviewWiring.comment(
                    forge, CommentBody.marker(target.context()), Optional.ofNullable(author), target.job());
            say(comment.keep(number, body), number, target.context());
        }
        return ExitCode.SUCCESS.code();
    }

    private void say(StickyComment.Outcome outcome, long number, String context) {
        String what = "the comment '" + context + "' in pull request " + number + " ";
        process.out()
                .println(what
                        + switch (outcome.deed()) {
                            case CREATED -> "was created";
                            case UPDATED -> "was updated";
                            case UNCHANGED -> "is already up to date: nothing was written";
                        });
        if (outcome.others() > 0) {
            process.err()
                    .println("warning: " + outcome.others() + " more comments of this account have the same context"
                            + " and are left alone; delete them by hand");
        }
    }
}
