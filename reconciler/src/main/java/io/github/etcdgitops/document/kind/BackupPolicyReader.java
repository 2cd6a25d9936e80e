package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.ClockFields;
import io.github.etcdgitops.document.field.Durations;
import io.github.etcdgitops.document.field.SelectorFields;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupPolicy.Drill;
import io.github.etcdgitops.spec.BackupPolicy.Encoding;
import io.github.etcdgitops.spec.BackupPolicy.Objectives;
import io.github.etcdgitops.spec.BackupPolicy.Retention;
import io.github.etcdgitops.spec.BackupPolicy.Terms;
import io.github.etcdgitops.spec.BackupPolicy.Timing;
import io.github.etcdgitops.spec.value.AgeRecipient;
import io.github.etcdgitops.spec.value.Namespaces;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads and checks a document of kind BackupPolicy.
public final class BackupPolicyReader {
    private static final ZoneId UTC = ZoneId.of("UTC");

    /// With a lower rate, a snapshot of some gigabytes takes days.

    private final YamlDocument document;

    private BackupPolicyReader(YamlDocument document) {
        this.document = document;
    }

    static void check(YamlDocument document, Findings findings) {
        ClockFields.crontab(document, findings, "spec", "schedule", "cron");
        ClockFields.timeZone(document, findings, "spec", "schedule", "timeZone");
        ClockFields.timeZone(document, findings, "spec", "retention", "timeZone");
        if (document.has("spec", "schedule") && document.has("spec", "every")) {
            findings.atKey(
                    List.of("spec", "every"),
                    "two-schedules",
                    "`spec.every` and `spec.schedule` both say when backups are taken.",
                    "Keep one of the two.");
        }
        recipient(document, findings);
        DestinationReader.check(document, findings);
    }

    /// The schema's pattern cannot find a typing error, which would only appear when the first backup is
    /// due.
    private static void recipient(YamlDocument document, Findings findings) {
        var path = List.of("spec", "encryption", "recipient");
        document.text(path.toArray(String[]::new))
                .filter(_ -> findings.noneAt(path))
                .flatMap(AgeRecipient::fault)
                .ifPresent(fault -> findings.at(
                        path,
                        "bad-recipient",
                        "`spec.encryption.recipient` is not a public key of age; " + fault + ".",
                        "Copy the whole key again; `age-keygen -y FILE` prints it from the identity file."));
    }

    public static BackupPolicy read(YamlDocument document, Namespaces within) {
        var reader = new BackupPolicyReader(document);
        return new BackupPolicy(
                document.text("metadata", "name").orElseThrow(),
                SelectorFields.read(document, within),
                reader.timing(),
                DestinationReader.read(document),
                new Encoding(
                        document.text("spec", "compression")
                                .filter("zstd"::equals)
                                .isPresent(),
                        document.text("spec", "encryption", "recipient"),
                        document.number("spec", "bytesPerSecond")),
                new Terms(
                        reader.retention(),
                        new Objectives(
                                Durations.of(document, "spec", "maxAge"),
                                Durations.of(document, "spec", "beforeChange")),
                        reader.drill()),
                document.at(List.of()));
    }

    private Optional<Timing> timing() {
        var every = Durations.of(document, "spec", "every").<Timing>map(Timing.Every::new);
        return document.text("spec", "schedule", "cron")
                .<Timing>map(cron -> new Timing.Cron(cron, clock().orElse(UTC)))
                .or(() -> every);
    }

    private Optional<ZoneId> clock() {
        return ClockFields.zone(document, "spec", "schedule", "timeZone");
    }

    /// Days are counted in the time zone of the schedule, unless another is named.
    private Retention retention() {
        return new Retention(
                number("last"),
                Durations.of(document, "spec", "retention", "within"),
                number("daily"),
                number("weekly"),
                number("monthly"),
                ClockFields.zone(document, "spec", "retention", "timeZone")
                        .or(this::clock)
                        .orElse(UTC));
    }

    private OptionalInt number(String rule) {
        return document.number("spec", "retention", rule)
                .map(n -> OptionalInt.of(Math.toIntExact(n)))
                .orElse(OptionalInt.empty());
    }

    private Optional<Drill> drill() {
        return Durations.of(document, "spec", "drill", "every")
                .map(every -> new Drill(
                        every,
                        document.text("spec", "drill", "namespace").orElseThrow(),
                        Durations.of(document, "spec", "drill", "maxAge")));
    }
}
