package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.spec.release.Advisory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Arrays;

/// How many security advisories hit each ring, by severity.
final class AdvisoryGauge {
    private final MultiGauge hitting;

    AdvisoryGauge(String prefix, MeterRegistry registry) {
        hitting = MultiGauge.builder(prefix + "ring.advisories")
                .description("Security advisories of etcd that hit the ring")
                .register(registry);
    }

    void record(FleetPlan plan) {
        var rows = new ArrayList<MultiGauge.Row<?>>();
        plan.known(RingFacts::advisories)
                .forEach((ring, advisories) -> Arrays.stream(Advisory.Severity.values())
                        .forEach(severity -> rows.add(MultiGauge.Row.of(
                                Tags.of(
                                        "environment",
                                        plan.environment(),
                                        "namespace",
                                        ring.namespace(),
                                        "ring",
                                        ring.name(),
                                        "severity",
                                        severity.wire()),
                                (double) advisories.stream()
                                        .filter(a -> a.severity() == severity)
                                        .count()))));
        hitting.register(rows, true);
    }
}
