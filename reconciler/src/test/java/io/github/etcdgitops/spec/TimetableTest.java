package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Times are written as a clock on the wall shows them, with the offset.
class TimetableTest {
    /// Spring: Vienna 2027-03-28 02:00 to 03:00, New York 2027-03-14 02:00 to 03:00,
    /// Lord Howe 2027-10-03 02:00 to 02:30.
    /// Autumn: Vienna 2026-10-25 03:00 to 02:00, New York 2026-11-01 02:00 to 01:00,
    /// Lord Howe 2027-04-04 02:00 to 01:30.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A named hour that is leapt over comes when the clock has leapt.
                "30 2 * * *     | Europe/Vienna       | 2027-03-27 | 03-27T02:30+01:00, 03-28T03:00+02:00,"
                        + " 03-29T02:30+02:00",
                "30 2 * * *     | America/New_York    | 2027-03-13 | 03-13T02:30-05:00, 03-14T03:00-04:00,"
                        + " 03-15T02:30-04:00",
                "15 2 * * *     | Australia/Lord_Howe | 2027-10-02 | 10-02T02:15+10:30, 10-03T02:30+11:00,"
                        + " 10-04T02:15+11:00",
                "45 2 * * *     | Australia/Lord_Howe | 2027-10-02 | 10-02T02:45+10:30, 10-03T02:45+11:00,"
                        + " 10-04T02:45+11:00",
                "0 2 * * *      | Europe/Vienna       | 2027-03-28 | 03-28T03:00+02:00, 03-29T02:00+02:00",
                // Two of one day that become one instant are one.
                "*/30 2,3 * * * | Europe/Vienna       | 2027-03-28 | 03-28T03:00+02:00, 03-28T03:30+02:00,"
                        + " 03-29T02:00+02:00",
                // A named hour that is shown twice counts the first time.
                "30 2 * * *     | Europe/Vienna       | 2026-10-24 | 10-24T02:30+02:00, 10-25T02:30+02:00,"
                        + " 10-26T02:30+01:00",
                "*/20 1 * * *   | America/New_York    | 2026-11-01 | 11-01T01:00-04:00, 11-01T01:20-04:00,"
                        + " 11-01T01:40-04:00, 11-02T01:00-05:00",
                "45 1 * * *     | Australia/Lord_Howe | 2027-04-04 | 04-04T01:45+11:00, 04-05T01:45+10:30",
                "15 1 * * *     | Australia/Lord_Howe | 2027-04-04 | 04-04T01:15+11:00, 04-05T01:15+10:30",
                "0 3 * * *      | Europe/Vienna       | 2026-10-25 | 10-25T03:00+01:00, 10-26T03:00+01:00",
                // Where the hour is not named, the clock is followed.
                "30 * * * *     | Europe/Vienna       | 2027-03-28 | 03-28T00:30+01:00, 03-28T01:30+01:00,"
                        + " 03-28T03:30+02:00",
                "30 */2 * * *   | Europe/Vienna       | 2027-03-28 | 03-28T00:30+01:00, 03-28T04:30+02:00",
                "0 */2 25 * *   | Europe/Vienna       | 2026-10-25 | 10-25T00:00+02:00, 10-25T02:00+02:00,"
                        + " 10-25T02:00+01:00, 10-25T04:00+01:00",
                "30 * 1 * *     | America/New_York    | 2026-11-01 | 11-01T00:30-04:00, 11-01T01:30-04:00,"
                        + " 11-01T01:30-05:00, 11-01T02:30-05:00",
                "45 * 4 * *     | Australia/Lord_Howe | 2027-04-04 | 04-04T00:45+11:00, 04-04T01:45+11:00,"
                        + " 04-04T01:45+10:30, 04-04T02:45+10:30",
                "0 * 3 * *      | Australia/Lord_Howe | 2027-10-03 | 10-03T00:00+10:30, 10-03T01:00+10:30,"
                        + " 10-03T03:00+11:00",
                // Days that not every month or year has.
                "0 0 31 * *     | Europe/Vienna       | 2027-01-31 | 01-31T00:00+01:00, 03-31T00:00+02:00,"
                        + " 05-31T00:00+02:00",
                "0 12 29 2 *    | Europe/Vienna       | 2028-02-29 | 02-29T12:00+01:00, 02-29T12:00+01:00",
                "0 0 1 * 1      | UTC                 | 2027-02-01 | 02-01T00:00Z, 02-08T00:00Z, 02-15T00:00Z",
                // Samoa went to bed on a Thursday and rose on a Saturday.
                "0 9 * * *      | Pacific/Apia        | 2011-12-29 | 12-29T09:00-10:00, 12-31T00:00+14:00,"
                        + " 12-31T09:00+14:00"
            })
    void followsTheClock(String crontab, ZoneId zone, String day, String expected) {
        var timetable = new Timetable(Crontab.parse(crontab), zone);
        var times = List.of(expected.split(", "));
        var before =
                LocalDateTime.parse(day + "T00:00").atZone(zone).toInstant().minusSeconds(1);

        var forwards = new ArrayList<Instant>();
        for (var time = before; forwards.size() < times.size(); ) {
            time = timetable.next(time).orElseThrow();
            forwards.add(time);
        }
        var backwards = new ArrayList<Instant>();
        for (var time = forwards.getLast(); backwards.size() < times.size(); time = time.minusNanos(1)) {
            time = timetable.latest(time).orElseThrow();
            backwards.add(time);
        }

        assertThat(forwards.stream().map(t -> shown(t, zone)).toList()).isEqualTo(times);
        Collections.reverse(backwards);
        assertThat(backwards).isEqualTo(forwards);
        assertThat(timetable.latest(before).orElseThrow()).isBeforeOrEqualTo(before);
    }

    private static String shown(Instant time, ZoneId zone) {
        return ZonedDateTime.ofInstant(time, zone).toOffsetDateTime().toString().substring("2027-".length());
    }

    @Test
    void knowsNoTimeWhereThereIsNone() {
        var never = new Timetable(Crontab.parse("0 0 31 2 *"), ZoneId.of("Europe/Vienna"));

        assertThat(never.next(Instant.parse("2026-11-01T00:00:00Z"))).isEmpty();
        assertThat(never.latest(Instant.parse("2026-11-01T00:00:00Z"))).isEmpty();
    }

    /// Against the definition, minute by minute over the days of a change: every local minute is held against the
    /// crontab, and mapped to instants one by one.
    @ParameterizedTest
    @CsvSource({
        "Europe/Vienna, 2027-03-26",
        "Europe/Vienna, 2026-10-23",
        "America/New_York, 2027-03-12",
        "America/New_York, 2026-10-30",
        "Australia/Lord_Howe, 2027-10-01",
        "Australia/Lord_Howe, 2027-04-02",
        "America/Havana, 2027-03-12",
        "UTC, 2027-03-12",
    })
    void isWhatTheDefinitionSays(ZoneId zone, String day) {
        var from = LocalDateTime.parse(day + "T00:00");
        for (String minute : List.of("0", "30", "*/7", "15,45")) {
            for (String hour : List.of("*", "*/2", "2", "1-3", "0", "0,2,23", "*/5,1")) {
                var crontab = Crontab.parse(minute + " " + hour + " * * *");
                var timetable = new Timetable(crontab, zone);
                var expected = expected(crontab, zone, from);
                var begin = from.atZone(zone).toInstant();
                for (int i = 24 * 60; i < 4 * 24 * 60; i += 5) {
                    var now = begin.plus(Duration.ofMinutes(i)).plusSeconds(i % 3);
                    assertThat(timetable.latest(now))
                            .as("%s latest at %s in %s", crontab.text(), now, zone)
                            .contains(expected.floor(now));
                    assertThat(timetable.next(now))
                            .as("%s next after %s in %s", crontab.text(), now, zone)
                            .contains(expected.higher(now));
                }
            }
        }
    }

    private static NavigableSet<Instant> expected(Crontab crontab, ZoneId zone, LocalDateTime from) {
        boolean named = !crontab.text().split(" ")[1].startsWith("*");
        var rules = zone.getRules();
        var all = new TreeSet<Instant>();
        for (var local = from; local.isBefore(from.plusDays(6)); local = local.plusMinutes(1)) {
            if (crontab.atOrAfter(local).filter(local::equals).isEmpty()) {
                continue;
            }
            var offsets = rules.getValidOffsets(local);
            var time = local;
            if (named && offsets.isEmpty()) {
                all.add(rules.getTransition(local).getInstant());
            } else if (named) {
                all.add(time.toInstant(offsets.getFirst()));
            } else {
                offsets.forEach((ZoneOffset offset) -> all.add(time.toInstant(offset)));
            }
        }
        return all;
    }
}
