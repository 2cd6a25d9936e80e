package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/// When rings are backed up, where to, and how long what was kept is kept. Rings whose spec names the policy are meant
/// in any case; by `rings` none is where it has no condition.
///
/// `maxAge` is the objective: a newest verified backup that is older is a finding. `beforeChange` is how old it may be
/// when a risky change begins; a younger one is taken first.
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

    /// The same place and manner for a ring that the policy does not hold for: nothing by itself, no objectives.
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
        /// A crontab of five fields, on the clock of `zone`.
        record Cron(String crontab, ZoneId zone) implements Timing {}

        record Every(Duration interval) implements Timing {}
    }

    /// How the snapshot is written. `recipient` is an age public key (`age1…`); without one nothing is encrypted
    /// before it leaves. `bytesPerSecond` bounds the speed.
    public record Encoding(boolean zstd, Optional<String> recipient, Optional<Long> bytesPerSecond) {}

    /// What holds for backups once they are taken.
    public record Terms(Retention retention, Objectives objectives, Optional<Drill> drill) {}

    /// What is kept: the union of all rules. With none given everything is. A `within` keeps whatever is younger.
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

    /// A restore into a scratch namespace, by way of trial. `maxAge` is the objective of the newest one that passed.
    public record Drill(Duration every, String namespace, Optional<Duration> maxAge) {}
}
