package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Failures;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.RanRendering;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.Opening;
import io.github.etcdgitops.cli.wiring.ShardOptions;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.Watermark;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.telemetry.RunFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One whole run with its output and its metrics: the same for a CronJob's process and for one that stays.
public final class ReconcileRun {
    private final Surface process;
    private final ReconcileOptions options;
    private final ShardOptions shards;
    private final ShutdownSignal ending;
    private final Consumer<RunFigures> figures;

    public ReconcileRun(
            Surface process,
            ReconcileOptions options,
            ShardOptions shards,
            ShutdownSignal ending,
            Consumer<RunFigures> figures) {
        this.process = process;
        this.options = options;
        this.shards = shards;
        this.ending = ending;
        this.figures = figures;
    }

    /// Prints errors on standard error, and returns the exit code of a process.
    public ExitCode run() {
        var measured = new Measured(Surface.clock().instant());
        ExitCode exit;
        try {
            exit = run(measured);
        } catch (RuntimeException e) {
            exit = Failures.report(e, process.err());
        }
        leaveFigures(measured, exit);
        return exit;
    }

    /// The run is already published. A failure of metrics does not change its result.
    private void leaveFigures(Measured measured, ExitCode exit) {
        Defect.contain(
                        () -> {
                            figures.accept(
                                    measured.figures(exit, Surface.clock().instant()));
                            return Optional.<Defect>empty();
                        },
                        Optional::of)
                .ifPresent(
                        defect -> warn("the run leaves no metrics: internal error, " + defect + ". Please report it"));
    }

    private ExitCode run(Measured measured) {
        var shard = shards.shard();
        String runId = shards.runId();
        var progress = new Progress(process.err(), options.output, process.terminal(), runId);
        try (var opening = Opening.of(options.cluster, process.environment(), ending);
                var source = Source.open(options.repository, process.environment(), options.reports.signingKey)) {
            var wiring = opening.wiring();
            String environment = wiring.environment(source, options.repository);
            var watermark = new Watermark(source.repository(), wiring.watermarks(), this::warn);
            var context = new RunContext(environment, source.commit(), runId);
            var reconciliation = wiring.reconciliation(
                    source, progress, options.noPublish ? Optional.empty() : Optional.of(watermark));
            String begins = "run " + runId + " at " + source.commit().substring(0, 12) + " in " + environment
                    + shard.map(s -> ", shard " + s.index() + " of " + s.count())
                            .orElse("");
            Supplier<DesiredState> accepted = () -> {
                watermark.accept(environment, options.wanted(source.commit()));
                var desired = desired(source, environment, wiring, true);
                progress.say(begins);
                return desired;
            };
            var run = shard.map(s -> new ShardedRun(reconciliation, wiring.shards(shards.patience()), s))
                    .orElseGet(() -> ShardedRun.alone(reconciliation));
            try {
                if (options.dryRun) {
                    measured.ran = run.dryRun(context, accepted);
                } else if (shard.filter(s -> !s.leads()).isPresent()) {
                    progress.say(begins);
                    measured.ran =
                            run.follow(context, commit -> desired(source.at(commit), environment, wiring, false));
                } else {
                    measured.ran = run.lead(context, accepted, this::title);
                }
                return ended(measured.ran);
            } finally {
                measured.apiCalls = wiring.apiCalls();
            }
        }
    }

    /// Of several processes, the one that `leads` remembers the rules in force.
    private DesiredState desired(Source source, String environment, Wiring wiring, boolean leads) {
        return wiring.acting(new ApprovalRulesCheck(source, environment, wiring.now())
                .ofRun(wiring.watermarks(), options.rules(leads && !options.dryRun)));
    }

    private void warn(String trouble) {
        process.err().println("warning: " + trouble);
    }

    private ExitCode ended(Ran ran) {
        new Outputs(options.output, process.terminal(), process.out())
                .write(new RanRendering(ran, Surface.clock().instant()));
        var done = ExitCode.ofResults(ran.results(), options.failing.failOnDeferred);
        var exit = ExitCode.worst(done, Refusals.of(ran.after(), options.failing));
        if (ran.missing().isEmpty()) {
            return exit;
        }
        process.err()
                .println("error: shards " + ran.missing()
                        + " had not finished when shard 0 did; the next run continues with their rings");
        return ExitCode.worst(exit, ExitCode.TEMPORARY);
    }

    private String title(List<Outcome> outcomes) {
        return ExitCode.of(outcomes, options.failing.failOnDeferred).title();
    }

    /// What is known of a run at its end, however it ends.
    private static final class Measured {
        private final Instant began;
        private @Nullable Ran ran;
        private SortedMap<String, Long> apiCalls = new TreeMap<>();

        Measured(Instant began) {
            this.began = began;
        }

        RunFigures figures(ExitCode exit, Instant ended) {
            return new RunFigures(
                    Optional.ofNullable(ran).map(Ran::after),
                    Optional.ofNullable(ran).map(Ran::results).orElse(List.of()),
                    exit.title(),
                    began,
                    Duration.between(began, ended),
                    apiCalls);
        }
    }
}
