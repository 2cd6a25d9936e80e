package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/// When rings are backed up, where to, and the retention of backups. It always applies to rings whose spec
/// names the policy; `rings` without a condition selects none.
///
/// `maxAge` is the objective: an older newest verified backup is a finding. `beforeChange` is the allowed
/// age at the start of a risky change; if the backup is older, a new one is taken first.
public record BackupPolicy(
        String name,
        RingSelector rings,
        Optional<Timing> timing,
        Destination destination,
        Encoding encoding,
        Terms terms,
        Location source) {

    public Retention retention() {
        return terms.retention();
    }

    public Objectives objectives() {
        return terms.objectives();
    }

    public Optional<Drill> drill() {
        return terms.drill();
    }

    /// The same destination and encoding for a ring that the policy does not apply to: no schedule, no
    /// objectives.
    public BackupPolicy onRequestOnly() {
        var none = new Objectives(Optional.empty(), Optional.empty());
        return new BackupPolicy(
                name,
                rings,
                Optional.empty(),
                destination,
                encoding,
                new Terms(Retention.ALL, none, Optional.empty()),
                source);
    }

    public BackupPolicy withoutDrill() {
        var without = new Terms(terms.retention(), terms.objectives(), Optional.empty());
        return new BackupPolicy(name, rings, timing, destination, encoding, without, source);
    }

    public sealed interface Timing {
        /// A crontab of five fields, in the time zone `zone`.
        record Cron(String crontab, ZoneId zone) implements Timing {}

        record Every(Duration interval) implements Timing {}
    }

    /// How the snapshot is written. `recipient` is an age public key (`age1…`). Unsafe without one: the
    /// snapshot leaves unencrypted. `bytesPerSecond` limits the speed.
    public record Encoding(boolean zstd, Optional<String> recipient, Optional<Long> bytesPerSecond) {}

    /// What applies to backups after they are taken.
    public record Terms(Retention retention, Objectives objectives, Optional<Drill> drill) {}

    /// What is kept: the union of all rules. Without rules, everything. `within` keeps every younger
    /// backup.
    public record Retention(
            OptionalInt last,
            Optional<Duration> within,
            OptionalInt daily,
            OptionalInt weekly,
            OptionalInt monthly,
            ZoneId zone) {
        public static final Retention ALL = new Retention(
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                java.time.ZoneOffset.UTC);

        public boolean keepsAll() {
            return last.isEmpty() && within.isEmpty() && daily.isEmpty() && weekly.isEmpty() && monthly.isEmpty();
        }
    }

    public record Objectives(Optional<Duration> maxAge, Optional<Duration> beforeChange) {}

    /// A drill: a test restore into a scratch namespace. `maxAge` is the objective for the newest drill
    /// that passed.
    public record Drill(Duration every, String namespace, Optional<Duration> maxAge) {}
}
