package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.Failures;
import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.NativeNames;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Settings;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import io.github.etcdgitops.cli.console.Version;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.io.PrintStream;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Spec;

/// The root command.
@Command(
        name = "etcd-gitops",
        description =
                "Keeps etcd rings on Kubernetes as a Git repository describes them, and shows the plan before each"
                        + " change.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Every option can also be given as ETCD_GITOPS_<OPTION> in the environment, or in a file named by",
            "ETCD_GITOPS_CONFIG (lines of option=value); the command line wins.",
            "",
            "Exit codes: 0 success, 2 changes (with --detailed-exitcode), 10 invalid documents, 11 denied, 12 stale"
                    + " plan,",
            "13 deferred (with --fail-on-deferred), 20 a ring failed, 21 aborted for safety, 64 usage, 75 try again,",
            "77 not authorised, 78 wrong configuration, 1 a bug."
        })
public final class Cli implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandLine.Model.CommandSpec spec;

    /// Runs one command line and returns the exit code. For errors that users can fix it prints messages,
    /// never stack traces.
    ///
    /// `stdout` and `stderr` receive only text without control characters.
    public static int run(String[] args, Map<String, String> environment, PrintStream stdout, PrintStream stderr) {
        var out = InertStream.over(stdout);
        var err = InertStream.over(stderr);
        var unreadable = NativeNames.of(environment).unreadable(args, System.getProperty("user.dir", ""));
        if (unreadable.isPresent()) {
            return Failures.report(new RunException(RunException.Kind.CONFIGURATION, unreadable.get()), err)
                    .code();
        }
        CommandLine commands;
        try {
            var completed = Settings.completed(environment);
            var process = new Surface(completed, out, err, Terminal.of(environment));
            commands = Commands.named(new CommandLine(new Cli()), process, args);
            commands.setDefaultValueProvider(Settings.of(environment, commands, () -> commands(process)));
        } catch (RuntimeException e) {
            return Failures.report(e, err).code();
        }
        try {
            return execute(commands, args, out, err);
        } catch (LinkageError | StackOverflowError e) {
            return Failures.bug(e, err).code();
        }
    }

    static CommandLine commands(Surface process) {
        return Commands.all(new CommandLine(new Cli()), process);
    }

    private static int execute(CommandLine commands, String[] args, InertStream out, InertStream err) {
        return commands.setOut(InertStream.writer(out))
                .setErr(InertStream.writer(err))
                .setExecutionExceptionHandler(
                        (e, _, _) -> Failures.report(e, err).code())
                .setParameterExceptionHandler((e, _) -> Failures.usage(e, err))
                .setExecutionStrategy(Cli::execute)
                .execute(args);
    }

    private static int execute(CommandLine.ParseResult parsed) {
        requireKnownFormats(parsed);
        return new CommandLine.RunLast().execute(parsed);
    }

    /// Refuses unsupported formats before the command does anything.
    static void requireKnownFormats(CommandLine.ParseResult parsed) {
        var command = parsed.asCommandLineList().getLast();
        mixins(command.getCommandSpec())
                .filter(Options.Output.class::isInstance)
                .flatMap(output -> Outputs.refusal((Options.Output) output).stream())
                .findFirst()
                .ifPresent(refusal -> {
                    throw new CommandLine.ParameterException(command, "--output: " + refusal);
                });
    }

    /// Also those within mixins.
    private static Stream<Object> mixins(CommandLine.Model.CommandSpec command) {
        return command.mixins().values().stream()
                .flatMap(mixin -> Stream.concat(Stream.of(mixin.userObject()), mixins(mixin)));
    }

    /// A stream that removes control characters.
    public static PrintStream inert(PrintStream stream) {
        return InertStream.over(stream);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
