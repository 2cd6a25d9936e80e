package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.git.publish.SecretScan;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.CommentBody;
import io.github.etcdgitops.spec.value.SecretShapes;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options for the forge, the repository there, and the token.
final class ReviewOptions {
    private static final String TOKEN = "ETCD_GITOPS_FORGE_TOKEN";
    private static final int LONGEST_TOKEN = 1 << 14;
    private static final int LONGEST_FILE = 1 << 26;

    @Option(
            names = "--forge",
            paramLabel = "github|gitlab|gitea",
            description = "Which API the forge has. For Forgejo use gitea. Default: from the CI job.")
    Forge.@Nullable Kind forge;

    @Option(
            names = "--repository",
            paramLabel = "OWNER/NAME",
            description = "The repository; on GitLab with all its groups. Default: from the CI job.")
    @Nullable
    String repository;

    @Option(
            names = "--api-url",
            paramLabel = "URL",
            description = "Address of the API of a self-hosted forge: https://HOST/api/v3, /api/v4 (GitLab) or"
                    + " /api/v1 (Gitea). Default: from the CI job, otherwise github.com or gitlab.com.")
    @Nullable
    String apiUrl;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token. Default: the value of ETCD_GITOPS_FORGE_TOKEN.")
    @Nullable
    Path tokenFile;

    @Option(
            names = "--forge-ca",
            paramLabel = "FILE",
            description = "CA certificates of a self-hosted forge, in PEM. They replace the CAs that Java trusts.")
    @Nullable
    Path ca;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Name that distinguishes this comment or status from others of etcd-gitops, such as one"
                    + " for each environment. Default: etcd-gitops",
            defaultValue = "etcd-gitops")
    String context = "etcd-gitops";

    /// All of them, with the CI job's values where an option was not given.
    record Target(ReviewWiring.Where where, CiJob job, String context) {}

    Target target(CommandSpec spec, Map<String, String> environment) {
        if (!CommentBody.acceptable(context)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--context may have up to 100 letters, digits, spaces and . _ / - but no two dashes in a row");
        }
        var all = CiJob.of(environment);
        Forge.Kind kind = forge != null ? forge : all.forge().orElseThrow(() -> missing(spec, "--forge"));
        var job = all.about(kind);
        String name =
                repository != null ? repository : job.repository().orElseThrow(() -> missing(spec, "--repository"));
        String api =
                apiUrl != null ? apiUrl : job.api().or(() -> usual(kind)).orElseThrow(() -> missing(spec, "--api-url"));
        return new Target(
                new ReviewWiring.Where(
                        kind, address(spec, api, "--api-url"), name, token(environment), Optional.ofNullable(ca)),
                job,
                context);
    }

    static ParameterException missing(CommandSpec spec, String option) {
        return new ParameterException(spec.commandLine(), option + " is missing, and the environment does not set it");
    }

    private static Optional<String> usual(Forge.Kind kind) {
        return switch (kind) {
            case GITHUB -> Optional.of("https://api.github.com");
            case GITLAB -> Optional.of("https://gitlab.com/api/v4");
            case GITEA -> Optional.empty();
        };
    }

    static URI address(CommandSpec spec, String text, String option) {
        try {
            var uri = URI.create(text);
            if (("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new ParameterException(
                spec.commandLine(), option + " must be an address with https:// and a host, without a password");
    }

    private String token(Map<String, String> environment) {
        Path file = tokenFile;
        String token = file == null ? environment.getOrDefault(TOKEN, "") : read(file, LONGEST_TOKEN, "the token file");
        if (token.isBlank()) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    file == null
                            ? "no token: set " + TOKEN + ", or --token-file"
                            : "the token file " + file + " is empty");
        }
        return token.strip();
    }

    /// A link in an archive from another source may lead to anything that this process can read, including
    /// its own environment.
    static String read(Path file, boolean mayBeLink) {
        if (!mayBeLink && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RunException(RunException.Kind.CONFIGURATION, file + " does not exist, or is not a regular file");
        }
        return read(file, LONGEST_FILE, "the file");
    }

    private static String read(Path file, int longest, String what) {
        try {
            if (Files.size(file) > longest) {
                throw new RunException(RunException.Kind.CONFIGURATION, what + " " + file + " is too long");
            }
            return Files.readString(file);
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot read " + what + " " + file);
        }
    }

    /// Text on a forge cannot be taken back: e-mails have already been sent.
    static void requireNoSecret(Target target, String what, String text) {
        SecretScan.requireNone(what, text.getBytes(StandardCharsets.UTF_8), access(target));
    }

    /// Untrusted text without anything that looks like a key or a token. If it contains our own token, that
    /// is no accident: its author knows the token, and none of the text is shown.
    static String shown(Target target, String what, String text, PrintStream err) {
        String clean = SecretShapes.without(text);
        if (!clean.equals(text)) {
            err.println("warning: " + what + " has text that looks like a key or a token: it was left out");
        }
        requireNoSecret(target, what, clean);
        return clean;
    }

    private static GitAccess access(Target target) {
        return GitAccess.token(target.where().token());
    }
}
