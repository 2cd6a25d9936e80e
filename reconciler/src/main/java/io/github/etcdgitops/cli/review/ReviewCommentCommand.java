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
        description =
                "Keeps one comment up to date in a pull request: makes it, changes it, or finds that it says the same.",
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
            description =
                    "Its number; of a merge request on GitLab, the one that people see. Default: that of the job of"
                            + " CI.")
    @Nullable
    Long pullRequest;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            description = "The text, in Markdown, as `plan -o markdown=FILE` writes it.")
    Path from = Path.of("");

    @Option(
            names = "--untrusted",
            description = "The text comes from a job that ran for a stranger: it is shown as it stands,"
                    + " and nothing in it is a link, a mention or a heading.")
    boolean untrusted;

    @Option(names = "--report-url", paramLabel = "URL", description = "Where the whole report is.")
    @Nullable
    String reportUrl;

    @Option(
            names = "--author",
            paramLabel = "NAME",
            description = "The account of the token, if the forge does not say it, as for a GitHub App. Default: the"
                    + " account of jobs of CI.")
    @Nullable
    String author;

    ReviewCommentCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        Long given = pullRequest;
        if (given != null && given <= 0) {
            throw new ParameterException(spec.commandLine(), "--pull-request must be a number from 1 on");
        }
        Optional<String> report = Optional.ofNullable(reportUrl)
                .map(url -> ReviewOptions.address(spec, url, "--report-url").toString());
        var target = options.target(spec, process.environment());
        report.ifPresent(url -> ReviewOptions.requireNoSecret(target, "--report-url", url));
        long number = given != null
                ? given
                : target.job().pullRequest().orElseThrow(() -> ReviewOptions.missing(spec, "--pull-request"));
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
                            case CREATED -> "was made";
                            case UPDATED -> "was changed";
                            case UNCHANGED -> "says the same already: nothing was written";
                        });
        if (outcome.others() > 0) {
            process.err()
                    .println("warning: " + outcome.others() + " more of ours with that context stand below it and are"
                            + " left as they are; delete them by hand");
        }
    }
}
