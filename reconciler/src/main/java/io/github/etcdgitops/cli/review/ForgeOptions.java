package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.git.publish.SecretScan;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options for a forge, the repository there, and the token.
public final class ForgeOptions {
    private static final String TOKEN = "ETCD_GITOPS_FORGE_TOKEN";
    private static final int LONGEST_TOKEN = 1 << 14;

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

    /// With the CI job's values where an option was not given.
    ReviewWiring.Where where(CommandSpec spec, Map<String, String> environment) {
        var kind = kind(spec, environment);
        var job = job(spec, environment);
        String name =
                repository != null ? repository : job.repository().orElseThrow(() -> missing(spec, "--repository"));
        String api =
                apiUrl != null ? apiUrl : job.api().or(() -> usual(kind)).orElseThrow(() -> missing(spec, "--api-url"));
        return new ReviewWiring.Where(
                kind, address(spec, api, "--api-url"), name, token(environment), Optional.ofNullable(ca));
    }

    /// The CI job, where it is one of this forge.
    CiJob job(CommandSpec spec, Map<String, String> environment) {
        return CiJob.of(environment).about(kind(spec, environment));
    }

    private Forge.Kind kind(CommandSpec spec, Map<String, String> environment) {
        return forge != null ? forge : CiJob.of(environment).forge().orElseThrow(() -> missing(spec, "--forge"));
    }

    /// Pull requests of the repository there. Close it.
    public Forge open(CommandSpec spec, Map<String, String> environment) {
        return ReviewWiring.open(where(spec, environment));
    }

    /// Throws where the text has the token or another secret.
    public void requireNoSecret(Map<String, String> environment, String text) {
        SecretScan.requireNone(
                "the pull request", text.getBytes(StandardCharsets.UTF_8), GitAccess.token(token(environment)));
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

    static String read(Path file, int longest, String what) {
        try {
            if (Files.size(file) > longest) {
                throw new RunException(RunException.Kind.CONFIGURATION, what + " " + file + " is too long");
            }
            return Files.readString(file);
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot read " + what + " " + file);
        }
    }
}
