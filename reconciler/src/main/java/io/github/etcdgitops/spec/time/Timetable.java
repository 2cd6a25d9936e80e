package io.github.etcdgitops.spec.time;

import io.github.etcdgitops.spec.time.Crontab.Field;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/// The instants of a crontab in a time zone.
///
/// Where hours are named, each day has its times: a time that the clock skips happens right after the skip,
/// and one that the clock shows twice counts only the first time. Where the hour is `*` or a step over all,
/// the times are those that the clock shows: a skipped one is left out, and one shown twice happens twice.
///
/// It goes from one clock change to the next, because between two of them local time and instants run in
/// parallel.
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

    /// The first local time after a clock change that did not occur before it.
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
