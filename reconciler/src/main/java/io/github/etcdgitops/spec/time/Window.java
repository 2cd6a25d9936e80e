package io.github.etcdgitops.spec.time;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// Opens at the times of `schedule` on the clocks of `zone`, and stays open for `duration` of real time,
/// whatever the clocks do meanwhile.
public record Window(Crontab schedule, Duration duration, ZoneId zone) {
    /// When this opening ends, if it is open; another one may have begun by then.
    public Optional<Instant> openUntil(Instant now) {
        return timetable().latest(now).map(opened -> opened.plus(duration)).filter(now::isBefore);
    }

    /// The first time after this one at which it opens. Empty where there is none within years.
    public Optional<Instant> opens(Instant after) {
        return timetable().next(after);
    }

    private Timetable timetable() {
        return new Timetable(schedule, zone);
    }
}
