package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Version;
import io.github.etcdgitops.cli.wiring.ShardOptions;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.schedule.Schedule;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.telemetry.Endpoints;
import io.github.etcdgitops.telemetry.Endpoints.Answer;
import io.github.etcdgitops.telemetry.Metrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        description = "Runs reconcile at the times of a crontab and when a backup is due, one run at a time, with"
                + " endpoints for probes and metrics.",
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final Surface process;

    @Mixin
    private final ReconcileOptions options = new ReconcileOptions();

    @Option(
            names = "--schedule",
            paramLabel = "CRONTAB",
            required = true,
            description = "Five fields as in a CronJob, or a name such as @hourly: \"*/10 * * * *\"")
    private String schedule = "";

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            description = "IANA time zone of the crontab. Default: Etc/UTC",
            defaultValue = "Etc/UTC")
    private String timeZone = "";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Address that serves /healthz, /readyz and /metrics. Default: 0.0.0.0:8080",
            defaultValue = "0.0.0.0:8080")
    private String listen = "";

    @Option(names = "--run-at-start", description = "Start with a run instead of waiting for the first scheduled time.")
    private boolean runAtStart;

    @Option(
            names = "--longest-run",
            paramLabel = "MINUTES",
            description = "A run that takes longer makes /healthz fail, so that Kubernetes restarts the pod."
                    + " Default: 240",
            defaultValue = "240")
    private int longestRun;

    private final AtomicReference<Optional<Instant>> running = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<Instant>> nextBackup = new AtomicReference<>(Optional.empty());

    public ServeCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() throws InterruptedException {
        var crontab = crontab();
        var zone = zone();
        var ending = ShutdownSignal.onSignal(
                Duration.ofSeconds(options.grace).plus(DRAIN), () -> Progress.ending(process, options.output));
        var metrics = new Metrics(Version.tool());
        var run = new ReconcileRun(process, options, new ShardOptions(), ending, figures -> {
            metrics.record(figures);
            nextBackup.set(figures.plan().flatMap(FleetPlan::nextBackup));
        });
        try (var endpoints = endpoints(metrics, ending);
                var times = start(crontab, zone, () -> once(run, ending))) {
            say("serving on port " + endpoints.port() + "; the next run starts at "
                    + times.next().map(Instant::toString).orElse("never"));
            if (runAtStart) {
                times.now();
            }
            ending.awaitWish();
        } finally {
            ending.done();
        }
        return ExitCode.SUCCESS.code();
    }

    private static Schedule start(Crontab crontab, ZoneId zone, Supplier<Optional<Instant>> work) {
        try {
            return Schedule.start(crontab, zone, work);
        } catch (IllegalArgumentException e) {
            throw new RunException(RunException.Kind.CONFIGURATION, "--schedule: " + e.getMessage());
        }
    }

    /// A run without a plan does not know of any backup; the crontab's next run will.
    private Optional<Instant> once(ReconcileRun run, ShutdownSignal ending) {
        if (ending.wish().isPresent()) {
            return Optional.empty();
        }
        running.set(Optional.of(Surface.clock().instant()));
        try {
            var exit = run.run();
            say("the run ended with " + exit.code() + " (" + exit.title() + ")"
                    + nextBackup
                            .get()
                            .map(time -> "; the next backup is due at " + time)
                            .orElse(""));
            return nextBackup.get();
        } finally {
            running.set(Optional.empty());
        }
    }

    private Endpoints endpoints(Metrics metrics, ShutdownSignal ending) {
        try {
            return Endpoints.open(
                    address(),
                    Map.of(
                            "/healthz", this::health,
                            "/readyz",
                                    () -> ending.wish()
                                            .map(why -> Answer.text(503, why))
                                            .orElse(Answer.text(200, "ok")),
                            "/metrics", () -> Answer.metrics(metrics.scrape())));
        } catch (IOException e) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION, "cannot listen on " + listen + ": " + e.getMessage());
        }
    }

    private Answer health() {
        var late = running.get()
                .map(began -> Duration.between(began, Surface.clock().instant()))
                .filter(took -> took.toMinutes() >= longestRun);
        return late.map(took -> Answer.text(503, "a run has been under way for " + took.toMinutes() + " minutes"))
                .orElse(Answer.text(200, "ok"));
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        try {
            return new InetSocketAddress(
                    colon < 1 ? "0.0.0.0" : listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
        } catch (IllegalArgumentException _) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION, "--listen takes ADDRESS:PORT, not '" + listen + "'");
        }
    }

    private Crontab crontab() {
        try {
            return Crontab.parse(schedule);
        } catch (IllegalArgumentException e) {
            throw new RunException(RunException.Kind.CONFIGURATION, "--schedule: " + e.getMessage());
        }
    }

    private ZoneId zone() {
        try {
            return ZoneId.of(timeZone);
        } catch (DateTimeException _) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "--time-zone: there is no time zone '" + timeZone + "'; use one such as Europe/Zurich");
        }
    }

    private void say(String message) {
        new Progress(process.err(), options.output, process.terminal(), "serve").say(message);
    }
}
