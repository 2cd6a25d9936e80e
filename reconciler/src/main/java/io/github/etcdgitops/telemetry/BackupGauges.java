package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.ring.backup.BackupNeeds.OfPolicy;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The age of the rings' backups and drills, by policy. An unreadable location has no value: 0 would mean
/// that all its backups are lost.
final class BackupGauges {
    private final MultiGauge newest;
    private final MultiGauge passed;
    private final MultiGauge failing;

    BackupGauges(String prefix, MeterRegistry registry) {
        newest = gauges(
                prefix + "backup.newest.timestamp.seconds",
                "Start time of the newest verified backup of a ring",
                registry);
        passed = gauges(
                prefix + "drill.passed.timestamp.seconds",
                "Time of the last passed drill of a ring's backups",
                registry);
        failing = gauges(prefix + "drill.failing", "1 if the last drill of a ring's backups failed", registry);
    }

    private static MultiGauge gauges(String name, String description, MeterRegistry registry) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    void record(FleetPlan plan) {
        newest.register(rows(plan, stored -> stored.newest().map(b -> seconds(b.taken()))), true);
        passed.register(
                rows(
                        plan,
                        stored -> drills(stored).stream()
                                .filter(StoredBackup.Drill::passed)
                                .map(drill -> seconds(drill.at()))
                                .max(Comparator.naturalOrder())),
                true);
        failing.register(
                rows(
                        plan,
                        stored -> drills(stored).stream()
                                .max(Comparator.comparing(StoredBackup.Drill::at))
                                .map(drill -> drill.passed() ? 0.0 : 1.0)),
                true);
    }

    private static List<StoredBackup.Drill> drills(RingBackups stored) {
        return stored.backups().stream().flatMap(b -> b.drills().stream()).toList();
    }

    private static double seconds(Instant time) {
        return time.getEpochSecond();
    }

    private static List<MultiGauge.Row<?>> rows(FleetPlan plan, Function<RingBackups, Optional<Double>> value) {
        var rows = new ArrayList<MultiGauge.Row<?>>();
        plan.known(RingFacts::needs)
                .forEach((ring, needs) -> needs.policies()
                        .forEach(policy -> policy.stored()
                                .optional()
                                .flatMap(value)
                                .ifPresent(v -> rows.add(MultiGauge.Row.of(tags(plan, ring, policy), v)))));
        return rows;
    }

    private static Tags tags(FleetPlan plan, ClusterRef ring, OfPolicy policy) {
        return Tags.of(
                "environment",
                plan.environment(),
                "namespace",
                ring.namespace(),
                "ring",
                ring.name(),
                "policy",
                policy.policy().name());
    }
}
