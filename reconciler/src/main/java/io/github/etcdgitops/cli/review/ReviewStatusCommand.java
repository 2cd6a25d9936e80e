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
        description = "Sets the status of a commit, unless it is that already: as you say, or as a plan says.",
        mixinStandardHelpOptions = true)
final class ReviewStatusCommand implements Callable<Integer> {
    /// GitHub takes no more.
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
            description = "The whole name of the commit, which is the last one of the branch and not its merge."
                    + " Default: that of the job of CI.")
    @Nullable
    String commit;

    @Option(names = "--state", paramLabel = "pending|success|failure|error", description = "The state. Or --from.")
    Forge.@Nullable State state;

    @Option(names = "--description", paramLabel = "TEXT", description = "One line for people; goes with --state.")
    @Nullable
    String description;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "State and line follow from a plan, as `plan -o json=FILE` or `plan --out FILE` writes it:"
                    + " failure where a document is wrong or asks for what its ring cannot be given, or something is"
                    + " denied, error where a ring could not be read, else success. Ends as the plan did.")
    @Nullable
    Path from;

    @Option(names = "--target-url", paramLabel = "URL", description = "Where the status leads: the whole report.")
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
                Optional.ofNullable(targetUrl).map(text -> ReviewOptions.address(spec, text, "--target-url"));
        var target = options.target(spec, process.environment());
        String sha = commit != null
                ? commit
                : target.job().commit().orElseThrow(() -> ReviewOptions.missing(spec, "--commit"));
        if (!sha.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
            throw new ParameterException(
                    spec.commandLine(), "--commit must be the whole name of a commit: 40 or 64 hexadecimal digits");
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
                            + (set ? "was set" : "is that already, nothing was written") + ": "
                            + status.state().word() + ", " + status.description());
        }
        return verdict.map(v -> code(v.result())).orElse(ExitCode.SUCCESS).code();
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
                        file + " is no plan of a format that is known here; `plan --out FILE` writes one"));
    }

    private static Forge.State state(ReviewVerdict.Result result) {
        return switch (result) {
            case GOOD -> Forge.State.SUCCESS;
            case INVALID, DENIED -> Forge.State.FAILURE;
            case UNKNOWN -> Forge.State.ERROR;
        };
    }

    /// As the plan itself ends, so that no job goes on as if all were well.
    private static ExitCode code(ReviewVerdict.Result result) {
        return switch (result) {
            case GOOD -> ExitCode.SUCCESS;
            case INVALID -> ExitCode.INVALID;
            case DENIED -> ExitCode.DENIED;
            case UNKNOWN -> ExitCode.TEMPORARY;
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
