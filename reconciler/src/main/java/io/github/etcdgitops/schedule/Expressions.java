package io.github.etcdgitops.schedule;

import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Crontab.Field;
import java.util.List;
import java.util.stream.Collectors;

/// A crontab in Quartz' terms. Quartz numbers weekdays from 1 for Sunday and has no "either" for days. So
/// one crontab may become two expressions, and days are written out.
final class Expressions {
    private Expressions() {}

    static List<String> of(Crontab crontab) {
        String time = "0 " + quartz(crontab, Field.MINUTE, 0) + " " + quartz(crontab, Field.HOUR, 0) + " ";
        String month = " " + quartz(crontab, Field.MONTH, 0) + " ";
        String byDay = time + quartz(crontab, Field.DAY, 0) + month + "?";
        String byWeekday = time + "?" + month + quartz(crontab, Field.WEEKDAY, 1);
        if (crontab.values(Field.WEEKDAY).any()) {
            return List.of(byDay);
        }
        return crontab.values(Field.DAY).any() ? List.of(byWeekday) : List.of(byDay, byWeekday);
    }

    private static String quartz(Crontab crontab, Field field, int shift) {
        var values = crontab.values(field);
        return values.any()
                ? "*"
                : values.numbers().stream().map(n -> String.valueOf(n + shift)).collect(Collectors.joining(","));
    }
}
