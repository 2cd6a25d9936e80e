package io.github.etcdgitops.spec.time;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// Opens at the times of `schedule` in the time zone `zone`, and stays open for `duration` of real time,
/// also over clock changes.
public record Window(Crontab schedule, Duration duration, ZoneId zone) {
    /// When this opening ends, if it is open; another one may have started by then.
    public Optional<Instant> openUntil(Instant now) {
        return timetable().latest(now).map(opened -> opened.plus(duration)).filter(now::isBefore);
    }

    /// The next opening after this time. Empty where there is none within years.
    public Optional<Instant> opens(Instant after) {
        return timetable().next(after);
    }

    private Timetable timetable() {
        return new Timetable(schedule, zone);
    }
}
