package io.github.etcdgitops.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.time.Crontab;
import java.text.ParseException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.quartz.CronExpression;

class ExpressionsTest {
    private static final long SEED = 20_261_122;
    private static final List<List<String>> PARTS = List.of(
            List.of("0", "*", "*/20", "5,35", "58-59"),
            List.of("3", "*", "*/6", "0,23", "2-4"),
            List.of("*", "1", "31", "*/2", "29-30", "13"),
            List.of("*", "2", "jan-mar", "2,12", "*/5"),
            List.of("*", "0", "1-5", "sat,sun", "*/3"));

    @Test
    void stepOverAllDaysRestrictsDays() {
        assertThat(Expressions.of(Crontab.parse("0 0 */2 * 1"))).hasSize(2);
        assertThat(Expressions.of(Crontab.parse("0 0 * * 1"))).isEqualTo(List.of("0 0 0 ? * 2"));
    }

    /// 02:30 does not exist on that day.
    @Test
    void skipsHourLostToDaylightSaving() throws ParseException {
        var next = next("30 2 * * *", Instant.parse("2027-03-27T12:00:00Z"), ZoneId.of("Europe/Zurich"));

        assertThat(next).contains(Instant.parse("2027-03-29T00:30:00Z"));
    }

    /// Two readers of one crontab, ours and Quartz by way of its expressions.
    @Test
    void quartzSeesTheTimesThatTheCrontabNames() throws ParseException {
        var random = new Random(SEED);
        for (int i = 0; i < 400; i++) {
            var fields = PARTS.stream()
                    .map(choices -> choices.get(random.nextInt(choices.size())))
                    .toList();
            String text = String.join(" ", fields);
            var now = LocalDateTime.of(2024 + random.nextInt(8), 1, 1, 0, 0).plusMinutes(random.nextInt(525_600));

            var ours = Crontab.parse(text).atOrAfter(now.plusSeconds(1)).map(t -> t.toInstant(ZoneOffset.UTC));

            assertThat(ours).as("%s after %s", text, now).isEqualTo(next(text, now.toInstant(ZoneOffset.UTC), UTC));
        }
    }

    private static final ZoneId UTC = ZoneId.of("UTC");

    private static Optional<Instant> next(String text, Instant after, ZoneId zone) throws ParseException {
        Optional<Instant> first = Optional.empty();
        for (String part : Expressions.of(Crontab.parse(text))) {
            var expression = new CronExpression(part);
            expression.setTimeZone(TimeZone.getTimeZone(zone));
            var next = Optional.ofNullable(expression.getNextValidTimeAfter(Date.from(after)))
                    .map(Date::toInstant);
            first = first.isEmpty() || next.filter(first.get()::isAfter).isPresent() ? next : first;
        }
        return first;
    }
}
