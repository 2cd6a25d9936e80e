package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/// The only place that turns exceptions into messages. [ExitCode] has their codes.
public final class Failures {
    private static final Pattern OPTION = Pattern.compile("--[a-z]+(-[a-z0-9]+)*(?==|$)|-[A-Za-z](?==|$)");

    private Failures() {}

    public static ExitCode report(Exception e, InertStream err) {
        return switch (e) {
            case RunException run -> say(err, run.getMessage(), ExitCode.of(run.kind()));
            case GitException git -> say(err, git.getMessage(), ExitCode.of(git.kind()));
            case GatewayException gateway -> say(err, gateway.getMessage(), ExitCode.of(gateway.kind()));
            default -> bug(e, err);
        };
    }

    public static int usage(CommandLine.ParameterException e, InertStream err) {
        err.println("error: " + said(e));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, InertStream.writer(err))) {
            err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        }
        return ExitCode.USAGE.code();
    }

    /// An unexpected argument is not repeated: it may be a token, given to an unknown option.
    private static String said(CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return String.valueOf(e.getMessage());
        }
        var options = unmatched.getUnmatched().stream()
                .map(argument -> OPTION.matcher(argument))
                .filter(Matcher::lookingAt)
                .map(found -> "'" + found.group() + "'")
                .toList();
        return options.isEmpty()
                ? "unexpected argument (its value is hidden)"
                : "unknown option " + String.join(" or ", options);
    }

    private static ExitCode say(InertStream err, @org.jspecify.annotations.Nullable String message, ExitCode code) {
        err.println("error: " + message);
        return code;
    }

    /// Names the place in our code, and no content of the message.
    public static ExitCode bug(Throwable e, InertStream err) {
        var at = e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0].toString();
        err.println("error: this is a bug in etcd-gitops: " + e.getClass().getName() + " at " + at);
        if (System.getProperty("etcd-gitops.debug") != null) {
            e.printStackTrace(err);
        }
        return ExitCode.BUG;
    }
}
