package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.CommitStatus;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.ReviewVerdict;
import java.net.URI;
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
        name = "status",
        description = "Sets the status of a commit: to a given state, or to the result of a plan.",
        mixinStandardHelpOptions = true)
final class ReviewStatusCommand implements Callable<Integer> {
    /// GitHub's limit.
    private static final int LONGEST = 140;

    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Mixin
    private final ReviewOptions options = new ReviewOptions();

    @Option(
            names = "--commit",
            paramLabel = "SHA",
            description = "The full ID of the last commit of the branch, not of its merge commit. Default: from the"
                    + " CI job.")
    @Nullable
    String commit;

    @Option(
            names = "--state",
            paramLabel = "pending|success|failure|error",
            description = "The state. Instead of --from.")
    Forge.@Nullable State state;

    @Option(
            names = "--description",
            paramLabel = "TEXT",
            description = "One line of text for people; needs" + " --state.")
    @Nullable
    String description;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Take state and text from a plan, as `plan -o json=FILE` or `plan --out FILE` writes it:"
                    + " failure if a document is invalid, asks for an impossible change, or an operation is"
                    + " denied; error if a ring could not be read; otherwise success. The exit code is that of"
                    + " the plan.")
    @Nullable
    Path from;

    @Option(names = "--target-url", paramLabel = "URL", description = "Link of the status: the full report.")
    @Nullable
    String targetUrl;

    ReviewStatusCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if ((from == null) == (state == null) || (state == null) != (description == null)) {
            throw new ParameterException(spec.commandLine(), "give either --from, or both --state and --description");
        }
        Optional<URI> url =
                Optional.ofNullable(targetUrl).map(text -> ForgeOptions.address(spec, text, "--target-url"));
        var target = options.target(spec, process.environment());
        String sha = commit != null
                ? commit
                : target.job().commit().orElseThrow(() -> ForgeOptions.missing(spec, "--commit"));
        if (!sha.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
            throw new ParameterException(
                    spec.commandLine(), "--commit must be the full ID of a commit: 40 or 64 hexadecimal digits");
        }
        var verdict = Optional.ofNullable(from).map(ReviewStatusCommand::verdict);
        var status = status(target.context(), verdict, url);
        ReviewOptions.requireNoSecret(
                target,
                "the status",
                status.description() + " " + url.map(URI::toString).orElse(""));
        try (var forge = ReviewWiring.open(target.where())) {
            boolean set = ReviewWiring.status(forge).set(sha, status);
            process.out()
                    .println("the status '" + target.context() + "' "
                            + (set ? "was set" : "is already up to date, nothing was written") + ": "
                            + status.state().word() + ", " + status.description());
        }
        return verdict.map(v -> ExitCode.of(v.result()))
                .orElse(ExitCode.SUCCESS)
                .code();
    }

    private CommitStatus status(String context, Optional<ReviewVerdict> verdict, Optional<URI> url) {
        return verdict.map(v -> new CommitStatus(context, state(v.result()), cut(v.line()), url))
                .orElseGet(
                        () -> new CommitStatus(context, java.util.Objects.requireNonNull(state), cut(oneLine()), url));
    }

    private static ReviewVerdict verdict(Path file) {
        return ReviewVerdict.ofPlan(ReviewOptions.read(file, true))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        file + " is not a plan that this version can read; `plan --out FILE` writes one"));
    }

    private static Forge.State state(ReviewVerdict.Result result) {
        return switch (result) {
            case GOOD -> Forge.State.SUCCESS;
            case INVALID, DENIED -> Forge.State.FAILURE;
            case UNKNOWN -> Forge.State.ERROR;
        };
    }

    private String oneLine() {
        return java.util.Objects.requireNonNull(description).strip();
    }

    private static String cut(String given) {
        String text = Inert.line(given);
        if (text.codePointCount(0, text.length()) <= LONGEST) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }
}
