package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Version;
import io.github.etcdgitops.cli.wiring.ShardOptions;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.telemetry.Metrics;
import io.github.etcdgitops.telemetry.MetricsOut;
import io.github.etcdgitops.telemetry.RunFigures;
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
        description = "Does one complete run: validates, plans, publishes the plan, carries out what is allowed,"
                + " publishes the result.",
        mixinStandardHelpOptions = true)
public final class ReconcileCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final ReconcileOptions options = new ReconcileOptions();

    @Mixin
    private final ShardOptions shards = new ShardOptions();

    @Option(
            names = "--metrics-file",
            paramLabel = "FILE",
            description = "Write the run's metrics to this file, in Prometheus' text format.")
    private Optional<Path> metricsFile = Optional.empty();

    @Option(names = "--pushgateway", paramLabel = "URL", description = "Push the run's metrics to this Pushgateway.")
    private Optional<URI> pushgateway = Optional.empty();

    public ReconcileCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (options.dryRun && shards.shard().isPresent()) {
            throw new RunException(RunException.Kind.CONFIGURATION, "--shard and --dry-run are mutually exclusive");
        }
        var ending = ShutdownSignal.onSignal(
                Duration.ofSeconds(options.grace), () -> Progress.ending(process, options.output));
        try {
            return new ReconcileRun(process, options, shards, ending, this::leave)
                    .run()
                    .code();
        } finally {
            ending.done();
        }
    }

    /// Metrics take time, so they are only computed where they are used.
    private void leave(RunFigures figures) {
        if (metricsFile.isEmpty() && pushgateway.isEmpty()) {
            return;
        }
        var metrics = new Metrics(Version.tool());
        metrics.record(figures);
        String text = metrics.scrape();
        metricsFile.flatMap(file -> MetricsOut.toFile(text, file)).ifPresent(this::warn);
        pushgateway
                .flatMap(url -> MetricsOut.toPushgateway(
                        text, url, options.repository.environment().orElse("")))
                .ifPresent(this::warn);
    }

    private void warn(String trouble) {
        process.err().println("warning: " + trouble);
    }
}
