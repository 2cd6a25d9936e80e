package io.github.etcdgitops.spec.time;

import io.github.etcdgitops.spec.time.Crontab.Field;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/// The instants of a crontab on the clock of a time zone.
///
/// Where hours are named, each day has its times: one that the clock leaps over comes when it has leapt, and one that
/// the clock shows twice counts the first time only. Where the hour is `*` or a step over all, times are those that the
/// clock shows: one that is leapt over is left out, one that is shown twice comes twice.
///
/// Goes from one change of the clock to the next, because between two of them local time and instants run alike.
public record Timetable(Crontab crontab, ZoneId zone) {
    /// The last instant that is not after this one. Empty when there is none within years.
    public Optional<Instant> latest(Instant now) {
        var rules = zone.getRules();
        var moment = now;
        while (true) {
            var offset = rules.getOffset(moment);
            var time = crontab.atOrBefore(LocalDateTime.ofInstant(moment, offset));
            var change = rules.previousTransition(moment.plusNanos(1));
            if (time.isEmpty() || change == null || !time.get().isBefore(begin(change))) {
                return time.map(t -> t.toInstant(offset));
            }
            if (leaptOver(change, time.get())) {
                return Optional.of(change.getInstant());
            }
            moment = change.getInstant().minusNanos(1);
        }
    }

    /// The first instant that is after this one. Empty when there is none within years.
    public Optional<Instant> next(Instant now) {
        var rules = zone.getRules();
        var offset = rules.getOffset(now);
        var local = LocalDateTime.ofInstant(now, offset).plusNanos(1);
        var from = Optional.ofNullable(rules.previousTransition(now.plusNanos(1)))
                .map(this::begin)
                .filter(local::isBefore)
                .orElse(local);
        return next(rules, now, from, offset);
    }

    private Optional<Instant> next(ZoneRules rules, Instant now, LocalDateTime after, ZoneOffset first) {
        var moment = now;
        var from = after;
        var offset = first;
        while (true) {
            var time = crontab.atOrAfter(from);
            var change = rules.nextTransition(moment);
            if (time.isEmpty() || change == null || time.get().isBefore(change.getDateTimeBefore())) {
                var known = offset;
                return time.map(t -> t.toInstant(known));
            }
            if (leaptOver(change, time.get())) {
                return Optional.of(change.getInstant());
            }
            moment = change.getInstant();
            from = begin(change);
            offset = change.getOffsetAfter();
        }
    }

    /// The first local time after a change of the clock that is not one of before.
    private LocalDateTime begin(ZoneOffsetTransition change) {
        return change.isOverlap() && onceADay() ? change.getDateTimeBefore() : change.getDateTimeAfter();
    }

    private boolean leaptOver(ZoneOffsetTransition change, LocalDateTime time) {
        return onceADay()
                && change.isGap()
                && !time.isBefore(change.getDateTimeBefore())
                && time.isBefore(change.getDateTimeAfter());
    }

    private boolean onceADay() {
        return !crontab.values(Field.HOUR).stepped();
    }
}
