package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.git.publish.SecretScan;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.CommentBody;
import io.github.etcdgitops.spec.value.SecretShapes;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options of `review`: the forge, and the name of the comment or status.
final class ReviewOptions {
    private static final int LONGEST_FILE = 1 << 26;

    @Mixin
    private final ForgeOptions forge = new ForgeOptions();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Name that distinguishes this comment or status from others of etcd-gitops, such as one"
                    + " for each environment. Default: etcd-gitops",
            defaultValue = "etcd-gitops")
    String context = "etcd-gitops";

    /// With the CI job's values where an option was not given.
    record Target(ReviewWiring.Where where, CiJob job, String context) {}

    Target target(CommandSpec spec, Map<String, String> environment) {
        if (!CommentBody.acceptable(context)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--context may have up to 100 letters, digits, spaces and . _ / - but no two dashes in a row");
        }
        return new Target(forge.where(spec, environment), forge.job(spec, environment), context);
    }

    /// A link in an archive from another source may lead to anything that this process can read, including
    /// its own environment.
    static String read(Path file, boolean mayBeLink) {
        if (!mayBeLink && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new RunException(RunException.Kind.CONFIGURATION, file + " does not exist, or is not a regular file");
        }
        return ForgeOptions.read(file, LONGEST_FILE, "the file");
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
