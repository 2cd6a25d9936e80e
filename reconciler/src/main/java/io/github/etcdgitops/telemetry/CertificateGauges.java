package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.ring.tls.CertificateEnds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Function;

/// When the rings' certificates expire. A plain-text ring has no value.
final class CertificateGauges {
    private final MultiGauge first;
    private final MultiGauge authority;

    CertificateGauges(String prefix, MeterRegistry registry) {
        first = MultiGauge.builder(prefix + "certificate.end.timestamp.seconds")
                .description("Time at which the first of a ring's certificates expires")
                .register(registry);
        authority = MultiGauge.builder(prefix + "authority.end.timestamp.seconds")
                .description("Time at which a ring's CA expires")
                .register(registry);
    }

    void record(FleetPlan plan) {
        register(first, plan, ends -> Optional.of(ends.first()));
        register(authority, plan, CertificateEnds::authority);
    }

    private static void register(MultiGauge gauge, FleetPlan plan, Function<CertificateEnds, Optional<Instant>> value) {
        var rows = new ArrayList<MultiGauge.Row<?>>();
        plan.known(RingFacts::certificates)
                .forEach((ring, ends) -> value.apply(ends)
                        .ifPresent(end -> rows.add(MultiGauge.Row.of(
                                Tags.of(
                                        "environment",
                                        plan.environment(),
                                        "namespace",
                                        ring.namespace(),
                                        "ring",
                                        ring.name()),
                                (double) end.getEpochSecond()))));
        gauge.register(rows, true);
    }
}
