package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.spec.BackupPolicy.Timing;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether a backup is due. Several missed times need only one backup.
public sealed interface Due {
    /// The limit for a plausible clock error. A time further ahead is not a slightly wrong clock, and may
    /// exceed what a calendar can hold.
    Duration FAR = Duration.ofDays(3650);

    /// No backup was ever taken.
    record First() implements Due {}

    /// `since` is the latest scheduled time, and no backup started at or after it.
    record Since(Instant since) implements Due {}

    /// Not before `next`. Empty where no backup will ever be due.
    record Later(Optional<Instant> next) implements Due {}

    /// By this clock, the last backup started in the future: one of the two clocks was wrong. None is due
    /// before `next`, which follows that time.
    record ClockBehind(Instant last, Optional<Instant> next) implements Due {}

    default boolean now() {
        return switch (this) {
            case First _, Since _ -> true;
            case Later _, ClockBehind _ -> false;
        };
    }

    /// The first time after `now` at which a backup will be due, if the one that is due now is taken.
    default Optional<Instant> next(Timing timing, Instant now) {
        return switch (this) {
            case First _, Since _ -> following(timing, now);
            case Later(var next) -> next;
            case ClockBehind(var unused, var next) -> next;
        };
    }

    /// `last` is when the last backup by this timing started. Throws IllegalArgumentException for an
    /// invalid crontab.
    static Due of(Timing timing, Optional<Instant> last, Instant now) {
        if (last.isEmpty()) {
            return new First();
        }
        var begun = last.get();
        if (begun.isAfter(now)) {
            var near = Optional.of(begun).filter(b -> b.isBefore(now.plus(FAR)));
            return new ClockBehind(begun, near.flatMap(b -> following(timing, b)));
        }
        return latest(timing, begun, now)
                .filter(begun::isBefore)
                .<Due>map(Since::new)
                .orElseGet(() -> new Later(following(timing, begun)));
    }

    private static Optional<Instant> latest(Timing timing, Instant begun, Instant now) {
        return switch (timing) {
            case Timing.Cron cron -> timetable(cron).latest(now);
            case Timing.Every every -> Optional.of(begun.plus(every.interval())).filter(due -> !due.isAfter(now));
        };
    }

    /// The first scheduled time after `time`. After a backup that starts at `time`, this is when the next
    /// one is due.
    static Optional<Instant> following(Timing timing, Instant time) {
        return switch (timing) {
            case Timing.Cron cron -> timetable(cron).next(time);
            case Timing.Every every -> Optional.of(time.plus(every.interval()));
        };
    }

    private static Timetable timetable(Timing.Cron cron) {
        return new Timetable(Crontab.parse(cron.crontab()), cron.zone());
    }
}
