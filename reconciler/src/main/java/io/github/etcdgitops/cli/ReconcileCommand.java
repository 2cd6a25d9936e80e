package io.github.etcdgitops.cli;

import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.telemetry.Metrics;
import io.github.etcdgitops.telemetry.MetricsOut;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reconcile",
        description =
                "One whole run: validate, plan, publish the plan, carry out what may be done, publish the result.",
        mixinStandardHelpOptions = true)
final class ReconcileCommand implements Callable<Integer> {
    private final Cli.Surface process;

    @Mixin
    private final ReconcileOptions options = new ReconcileOptions();

    @Mixin
    private final ShardOptions shards = new ShardOptions();

    @Option(
            names = "--metrics-file",
            paramLabel = "FILE",
            description = "Leave the run's metrics here in Prometheus' text format.")
    private Optional<Path> metricsFile = Optional.empty();

    @Option(names = "--pushgateway", paramLabel = "URL", description = "Push the run's metrics to this Pushgateway.")
    private Optional<URI> pushgateway = Optional.empty();

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description = "How long a step in hand may still take when the process is asked to end. Default: 60",
            defaultValue = "60")
    private int grace;

    ReconcileCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (options.dryRun && shards.shard().isPresent()) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION, "--shard shares out work, and --dry-run has none: leave one out");
        }
        var ending = Ending.onSignal(Duration.ofSeconds(grace), () -> Progress.ending(process, options.output));
        try {
            var metrics = new Metrics(Version.tool());
            var exit = new ReconcileRun(process, options, shards, ending, metrics).run();
            leave(metrics);
            return exit.code();
        } finally {
            ending.done();
        }
    }

    /// Rendering takes its time, so it is done for somebody only.
    private void leave(Metrics metrics) {
        metricsFile.flatMap(file -> MetricsOut.toFile(metrics.scrape(), file)).ifPresent(this::warn);
        pushgateway
                .flatMap(url -> MetricsOut.toPushgateway(
                        metrics.scrape(), url, options.repository.environment().orElse("")))
                .ifPresent(this::warn);
    }

    private void warn(String trouble) {
        process.err().println("warning: " + trouble);
    }
}
