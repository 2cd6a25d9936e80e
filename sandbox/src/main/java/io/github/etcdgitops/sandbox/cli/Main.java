package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.etcd.EtcdUnavailable;
import java.io.IOException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/// `sandbox`: a Kubernetes for trying things out, with real etcd processes, on this machine's loopback.
@Command(
        name = "sandbox",
        description = "A Kubernetes API with real etcd processes on loopback, to try etcd-gitops on.",
        mixinStandardHelpOptions = true,
        version = "sandbox of etcd-gitops",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            FaultCommand.class,
            ExecCommand.class,
            EtcdCommand.class,
            ServeCommand.class,
            HelpCommand.class
        })
public final class Main implements Runnable {
    static final int USAGE = 64;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setExitCodeExceptionMapper(_ -> 1)
                .setParameterExceptionHandler((e, _) -> {
                    e.getCommandLine().getErr().println("sandbox: " + e.getMessage());
                    return USAGE;
                })
                .setExecutionExceptionHandler((e, line, _) -> {
                    if (!(e instanceof IOException
                            || e instanceof EtcdUnavailable
                            || e instanceof IllegalArgumentException)) {
                        throw e;
                    }
                    line.getErr().println("sandbox: " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
                    return e instanceof IllegalArgumentException ? USAGE : 1;
                })
                .execute(arguments));
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }
}
