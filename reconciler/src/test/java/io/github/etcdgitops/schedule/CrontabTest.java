package io.github.etcdgitops.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronExpression;

class CrontabTest {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE d HH:mm", Locale.ROOT);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/20 * * * *     | Sun 1 00:20, Sun 1 00:40, Sun 1 01:00",
                "5,35 6-7 * * *   | Sun 1 06:05, Sun 1 06:35, Sun 1 07:05",
                "0 3 * * 1-5      | Mon 2 03:00, Tue 3 03:00, Wed 4 03:00",
                "0 3 * * 0        | Sun 1 03:00, Sun 8 03:00, Sun 15 03:00",
                "0 3 * * sat,SUN  | Sun 1 03:00, Sat 7 03:00, Sun 8 03:00",
                "0 3 * * 6/1      | Sat 7 03:00, Sat 14 03:00, Sat 21 03:00",
                "30 12 10/10 * *  | Tue 10 12:30, Fri 20 12:30, Mon 30 12:30",
                "0 0 13 * ?       | Fri 13 00:00, Sun 13 00:00, Wed 13 00:00",
                "0 0 13 * 5       | Fri 6 00:00, Fri 13 00:00, Fri 20 00:00",
                "0 0 4 * 5        | Wed 4 00:00, Fri 6 00:00, Fri 13 00:00",
                "@weekly          | Sun 8 00:00, Sun 15 00:00, Sun 22 00:00",
                "@hourly          | Sun 1 01:00, Sun 1 02:00, Sun 1 03:00",
                "0 0 1 feb,Mar *  | Mon 1 00:00, Mon 1 00:00, Tue 1 00:00",
            })
    void firesWhenACronJobWould(String text, String expected) throws ParseException {
        assertThat(times(Crontab.parse(text), 3)).isEqualTo(expected);
    }

    /// From the first second of November 2026 on, a Sunday.
    private static String times(Crontab crontab, int count) throws ParseException {
        var zone = ZoneId.of("Etc/UTC");
        var now = Instant.parse("2026-11-01T00:00:00Z");
        var found = new java.util.ArrayList<String>();
        while (found.size() < count) {
            now = next(crontab, now, zone);
            found.add(DAY.format(ZonedDateTime.ofInstant(now, zone)));
        }
        return String.join(", ", found);
    }

    private static Instant next(Crontab crontab, Instant after, ZoneId zone) throws ParseException {
        Instant first = null;
        for (String text : crontab.quartz()) {
            var expression = new CronExpression(text);
            expression.setTimeZone(TimeZone.getTimeZone(zone));
            var next = expression.getNextValidTimeAfter(Date.from(after)).toInstant();
            first = first == null || next.isBefore(first) ? next : first;
        }
        return first;
    }

    @Test
    void aStepOverAllDaysIsARestriction() {
        assertThat(Crontab.parse("0 0 */2 * 1").quartz()).hasSize(2);
        assertThat(Crontab.parse("0 0 * * 1").quartz()).isEqualTo(List.of("0 0 0 ? * 2"));
    }

    /// 02:30 does not exist on that day.
    @Test
    void anHourThatTheClockLeapsOverIsLeftOut() throws ParseException {
        var next = next(Crontab.parse("30 2 * * *"), Instant.parse("2027-03-27T12:00:00Z"), ZoneId.of("Europe/Zurich"));

        assertThat(next).isEqualTo(Instant.parse("2027-03-29T00:30:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * * 13 *",
                "* * * * 7",
                "5-1 * * * *",
                "*/0 * * * *",
                "1/2/3 * * * *",
                "1-2-3 * * * *",
                "a * * * *",
                "* * * * mo",
                "1,,2 * * * *",
                "-1 * * * *",
                "L * * * *",
                "99999999999 * * * *",
                "@never",
            })
    void whatKubernetesRefusesIsRefused(String text) {
        assertThatThrownBy(() -> Crontab.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheFieldThatIsWrong() {
        assertThatThrownBy(() -> Crontab.parse("0 3 * * 7"))
                .hasMessageStartingWith("'7' is no day of the week of a crontab: 0 to 6 are");
    }
}
