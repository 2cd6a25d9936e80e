package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.StepResult;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/// The metrics of this process. Counters grow over its runs; gauges describe the last one. docs/metrics.md
/// lists them.
public final class Metrics {
    private static final String PREFIX = "etcd.gitops.";

    /// Makes every label value safe to print, whoever wrote it.
    private static final MeterFilter INERT_LABELS = new MeterFilter() {
        @Override
        public Meter.Id map(Meter.Id id) {
            return id.replaceTags(id.getTags().stream()
                    .map(tag -> Tag.of(tag.getKey(), Inert.line(tag.getValue())))
                    .toList());
        }
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<Last> last = new AtomicReference<>(new Last(0, 0, 0));
    private final MultiGauge rings = gauges("rings", "Rings by situation");
    private final MultiGauge voters = gauges("ring.voters", "Voting members of a ring");
    private final MultiGauge tolerance = gauges("ring.tolerance", "Number of voters of a ring that may still fail");
    private final MultiGauge findings = gauges("ring.findings", "Findings of a ring by level");
    private final MultiGauge waiting = gauges("ring.waiting", "Operations of a ring that are planned or wait");

    private final BackupGauges backups = new BackupGauges(PREFIX, registry);
    private final CertificateGauges certificates = new CertificateGauges(PREFIX, registry);
    private final AdvisoryGauge advisories = new AdvisoryGauge(PREFIX, registry);

    /// The last run: when it ended, in seconds since 1970, and how long it took; and when a run last
    /// observed the rings.
    private record Last(double ended, double seconds, double looked) {}

    public Metrics(String version) {
        registry.config().meterFilter(INERT_LABELS);
        registry.gauge(PREFIX + "build.info", Tags.of("version", version), 1);
        gauge("last.run.timestamp.seconds", "Time at which the last run ended", Last::ended);
        gauge("last.look.timestamp.seconds", "Time of the last completed observation", Last::looked);
        gauge("last.run.duration.seconds", "Duration of the last run", Last::seconds);
        processGauges();
    }

    private void processGauges() {
        io.micrometer.core.instrument.Gauge.builder(
                        PREFIX + "process.cpu.seconds",
                        () -> ProcessFigures.now()
                                .processor()
                                .map(d -> d.toMillis() / 1000.0)
                                .orElse(Double.NaN))
                .description("Processor time used by this process")
                .register(registry);
        io.micrometer.core.instrument.Gauge.builder(
                        PREFIX + "process.peak.memory.bytes",
                        () -> ProcessFigures.now()
                                .peakMemory()
                                .map(Long::doubleValue)
                                .orElse(Double.NaN))
                .description("Peak resident memory of this process")
                .register(registry);
    }

    private MultiGauge gauges(String name, String description) {
        return MultiGauge.builder(PREFIX + name).description(description).register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<Last> value) {
        io.micrometer.core.instrument.Gauge.builder(PREFIX + name, last, l -> value.applyAsDouble(l.get()))
                .description(description)
                .register(registry);
    }

    /// Adds a run. Not for two runs at once.
    public void record(RunFigures run) {
        String environment = run.plan().map(FleetPlan::environment).orElse("");
        registry.counter(PREFIX + "runs", "environment", environment, "exit", run.exit())
                .increment();
        double ended = run.began().plus(run.took()).toEpochMilli() / 1000.0;
        double looked = run.plan().isPresent() ? ended : last.get().looked();
        last.set(new Last(ended, run.took().toMillis() / 1000.0, looked));
        run.plan().ifPresent(this::rings);
        run.plan().ifPresent(backups::record);
        run.plan().ifPresent(certificates::record);
        run.plan().ifPresent(advisories::record);
        run.results().forEach(result -> result(environment, result));
        run.apiCalls().forEach(this::apiCall);
    }

    private void rings(FleetPlan plan) {
        rings.register(
                Arrays.stream(ClusterPlan.Situation.values())
                        .map(s -> MultiGauge.Row.of(
                                Tags.of("environment", plan.environment(), "situation", s.wire()), plan.count(s)))
                        .toList(),
                true);
        var all = plan.clusters();
        // A ring with unknown members has no value for their number: 0 would raise the alarm that quorum is
        // lost.
        var known = all.stream().filter(c -> c.quorum().voters() > 0).toList();
        voters.register(rows(plan, known, c -> c.quorum().voters()), true);
        tolerance.register(rows(plan, known, c -> c.quorum().tolerance()), true);
        waiting.register(
                rows(plan, all, c -> c.operations().size() + c.waiting().size()), true);
        findings.register(
                all.stream()
                        .flatMap(c -> c.findings().stream()
                                .map(f -> f.level())
                                .distinct()
                                .map(level -> MultiGauge.Row.of(
                                        ring(plan, c).and("level", level.wire()),
                                        c.findings().stream()
                                                .filter(f -> f.level() == level)
                                                .count())))
                        .toList(),
                true);
    }

    private static Iterable<MultiGauge.Row<?>> rows(
            FleetPlan plan, List<ClusterPlan> clusters, ToDoubleFunction<ClusterPlan> value) {
        return clusters.stream()
                .<MultiGauge.Row<?>>map(c -> MultiGauge.Row.of(ring(plan, c), value.applyAsDouble(c)))
                .toList();
    }

    private static Tags ring(FleetPlan plan, ClusterPlan cluster) {
        return Tags.of(
                "environment",
                plan.environment(),
                "namespace",
                cluster.ref().namespace(),
                "ring",
                cluster.ref().name());
    }

    /// The last step of each operation shows its result.
    private void result(String environment, ClusterResult result) {
        var ends = new LinkedHashMap<String, StepEvent>();
        for (var event : result.events()) {
            ends.put(event.operationId(), event);
            Timer.builder(PREFIX + "step")
                    .description("Duration of steps")
                    .tags("step", event.step().name(), "result", word(event.result()))
                    .register(registry)
                    .record(event.took());
        }
        ends.values()
                .forEach(event -> registry.counter(
                                PREFIX + "operations",
                                "environment",
                                environment,
                                "operation",
                                event.operationKind(),
                                "result",
                                word(event.result()))
                        .increment());
    }

    private void apiCall(String what, long count) {
        int space = what.indexOf(' ');
        registry.counter(PREFIX + "api.calls", "verb", what.substring(0, space), "resource", what.substring(space + 1))
                .increment((double) count);
    }

    private static String word(StepResult result) {
        return switch (result) {
            case StepResult.Done _, StepResult.AlreadySo _ -> "done";
            case StepResult.Held _ -> "held";
            case StepResult.Failed _ -> "failed";
            case StepResult.Fenced _ -> "fenced";
        };
    }

    /// All metrics in Prometheus' text format.
    public String scrape() {
        return registry.scrape();
    }
}
