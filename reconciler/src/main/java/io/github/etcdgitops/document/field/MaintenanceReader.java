package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The maintenance settings of a ring, from a document that passed every check.
public record MaintenanceReader(YamlDocument document, Repairs.Mode space) {
    private static final String MAINTENANCE = "maintenance";

    public Maintenance read() {
        return new Maintenance(
                defragment(),
                windows(),
                space,
                document.number("spec", MAINTENANCE, "keepRevisions").orElse(Maintenance.DEFAULT_KEPT),
                deleteLeftAfter());
    }

    private Optional<Duration> deleteLeftAfter() {
        return document.text("spec", "storage", "retention", "whenScaled")
                .filter("Delete"::equals)
                .map(_ -> Durations.of(document, "spec", "storage", "retention", "after")
                        .orElse(Maintenance.DEFAULT_LEFT));
    }

    private Optional<Maintenance.Defragment> defragment() {
        return document.number("spec", MAINTENANCE, "defragment", "unusedPercent")
                .map(percent -> new Maintenance.Defragment(
                        Math.toIntExact(percent),
                        document.number("spec", MAINTENANCE, "defragment", "minimumSize")
                                .orElse(Maintenance.Defragment.DEFAULT_MINIMUM)));
    }

    private List<Window> windows() {
        return IntStream.range(0, document.items("spec", MAINTENANCE, "windows").size())
                .mapToObj(Integer::toString)
                .map(i -> new Window(
                        Crontab.parse(document.text("spec", MAINTENANCE, "windows", i, "schedule")
                                .orElseThrow()),
                        Durations.of(document, "spec", MAINTENANCE, "windows", i, "duration")
                                .orElse(Duration.ZERO),
                        ZoneId.of(document.text("spec", MAINTENANCE, "windows", i, "timeZone")
                                .orElse("UTC"))))
                .toList();
    }
}
