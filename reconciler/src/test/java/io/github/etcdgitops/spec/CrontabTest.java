package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.spec.time.Crontab;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrontabTest {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE d HH:mm", Locale.ROOT);

    /// From the first second of November 2026 on, a Sunday; and the same times backwards.
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
                "0 0 */2 * 1      | Mon 2 00:00, Tue 3 00:00, Thu 5 00:00",
                "@weekly          | Sun 8 00:00, Sun 15 00:00, Sun 22 00:00",
                "@hourly          | Sun 1 01:00, Sun 1 02:00, Sun 1 03:00",
                "0 0 1 feb,Mar *  | Mon 1 00:00, Mon 1 00:00, Tue 1 00:00",
                "0 0 31 * *       | Thu 31 00:00, Sun 31 00:00, Wed 31 00:00",
                "0 0 29 2 *       | Tue 29 00:00, Sun 29 00:00, Fri 29 00:00",
            })
    void namesTheTimesOfACronJob(String text, String expected) {
        var crontab = Crontab.parse(text);
        var forwards = new ArrayList<LocalDateTime>();
        var time = LocalDateTime.parse("2026-11-01T00:00:01");
        for (int i = 0; i < 3; i++) {
            time = crontab.atOrAfter(time).orElseThrow();
            forwards.add(time);
            time = time.plusNanos(1);
        }
        var backwards = new ArrayList<LocalDateTime>();
        for (int i = 0; i < 3; i++) {
            time = crontab.atOrBefore(time).orElseThrow();
            backwards.add(time);
            time = time.minusNanos(1);
        }

        assertThat(String.join(", ", forwards.stream().map(DAY::format).toList()))
                .isEqualTo(expected);
        Collections.reverse(backwards);
        assertThat(backwards).isEqualTo(forwards);
    }

    @Test
    void crossesACenturyWithoutALeapDay() {
        var crontab = Crontab.parse("0 0 29 2 *");

        assertThat(crontab.atOrAfter(LocalDateTime.parse("2096-03-01T00:00")))
                .contains(LocalDateTime.parse("2104-02-29T00:00"));
        assertThat(crontab.atOrBefore(LocalDateTime.parse("2104-02-28T00:00")))
                .contains(LocalDateTime.parse("2096-02-29T00:00"));
    }

    @Test
    void recognisesDateThatNeverComes() {
        assertThat(Crontab.parse("0 0 31 2 *").comes()).isFalse();
        assertThat(Crontab.parse("0 0 30 2 *").comes()).isFalse();
        assertThat(Crontab.parse("0 0 31 2,4,6,9,11 *").comes()).isFalse();
        assertThat(Crontab.parse("0 0 31 2,3 *").comes()).isTrue();
        assertThat(Crontab.parse("0 0 29 2 *").comes()).isTrue();
        assertThat(Crontab.parse("0 0 31 2 1").comes()).isTrue();
        assertThat(Crontab.parse("0 0 31 2 *").atOrAfter(LocalDateTime.parse("2026-11-01T00:00")))
                .isEmpty();
        assertThat(Crontab.parse("0 0 31 2 *").atOrBefore(LocalDateTime.parse("2026-11-01T00:00")))
                .isEmpty();
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
    void refusesCrontabThatKubernetesRefuses(String text) {
        assertThatThrownBy(() -> Crontab.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheFieldThatIsWrong() {
        assertThatThrownBy(() -> Crontab.parse("0 3 * * 7"))
                .hasMessageStartingWith("'7' is not a day of the week of a crontab: 0 to 6 are");
    }

    @Test
    void showsNothingThatMovesACursorAndNothingEndless() {
        assertThatThrownBy(() -> Crontab.parse("\u001b[2J * * * *"))
                .message()
                .startsWith("'\\u001b[2J' is not a minute")
                .doesNotContain("\u001b");
        assertThatThrownBy(() -> Crontab.parse("1,".repeat(50_000) + " * *"))
                .message()
                .hasSizeLessThan(200);
    }
}
