package io.github.etcdgitops.schedule;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A five-field crontab as a Kubernetes CronJob reads it: minute, hour, day of the month, month, day of the week (0 is
/// Sunday), with lists, ranges, steps and English names, or `@hourly` and its like.
///
/// Where both kinds of days are restricted, a day of either kind will do; a step over all of them counts as a
/// restriction. Quartz numbers weekdays from 1 for Sunday and knows no "either", so that one crontab may become two
/// expressions, and days are written out.
public record Crontab(String text, List<String> quartz) {
    private static final Map<String, String> SHORT = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> WEEKDAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    public Crontab {
        quartz = List.copyOf(quartz);
    }

    private enum Field {
        MINUTE("minute", 0, 59),
        HOUR("hour", 0, 23),
        DAY("day of the month", 1, 31),
        MONTH("month", 1, 12),
        WEEKDAY("day of the week", 0, 6);

        private final String title;
        private final int first;
        private final int last;

        Field(String title, int first, int last) {
            this.title = title;
            this.first = first;
            this.last = last;
        }

        /// What may stand for the numbers from the first one on.
        List<String> names() {
            return switch (this) {
                case MINUTE, HOUR, DAY -> List.of();
                case MONTH -> MONTHS;
                case WEEKDAY -> WEEKDAYS;
            };
        }
    }

    /// Values of a field; `any` when it stands for every one of them.
    private record Values(SortedSet<Integer> numbers, boolean any) {
        String quartz(int shift) {
            return any
                    ? "*"
                    : numbers.stream().map(n -> String.valueOf(n + shift)).collect(Collectors.joining(","));
        }
    }

    /// Throws IllegalArgumentException with the field and what is wrong with it.
    public static Crontab parse(String text) {
        String fields = SHORT.getOrDefault(text.strip(), text.strip());
        if (fields.startsWith("@")) {
            throw new IllegalArgumentException("the crontab '" + text + "' is not one of "
                    + SHORT.keySet().stream().sorted().toList());
        }
        var parts = List.of(fields.split("\\s+"));
        if (parts.size() != Field.values().length) {
            throw new IllegalArgumentException("the crontab '" + text + "' has " + parts.size()
                    + " fields; minute, hour, day of the month, month, day of the week are wanted");
        }
        var values = new EnumMap<Field, Values>(Field.class);
        var part = parts.iterator();
        for (Field field : Field.values()) {
            values.put(field, values(field, part.next()));
        }
        return new Crontab(text.strip(), expressions(values));
    }

    private static List<String> expressions(Map<Field, Values> values) {
        var day = of(values, Field.DAY);
        var weekday = of(values, Field.WEEKDAY);
        String time = "0 " + of(values, Field.MINUTE).quartz(0) + " "
                + of(values, Field.HOUR).quartz(0) + " ";
        String month = " " + of(values, Field.MONTH).quartz(0) + " ";
        String byDay = time + day.quartz(0) + month + "?";
        String byWeekday = time + "?" + month + weekday.quartz(1);
        if (weekday.any()) {
            return List.of(byDay);
        }
        return day.any() ? List.of(byWeekday) : List.of(byDay, byWeekday);
    }

    private static Values of(Map<Field, Values> values, Field field) {
        return Objects.requireNonNull(values.get(field));
    }

    private static Values values(Field field, String text) {
        var numbers = new TreeSet<Integer>();
        boolean any = false;
        for (String part : text.split(",", -1)) {
            any |= part.equals("*") || part.equals("?");
            numbers.addAll(numbers(field, part, text));
        }
        return new Values(numbers, any);
    }

    private static List<Integer> numbers(Field field, String part, String whole) {
        var stepped = part.split("/", -1);
        int step = stepped.length == 1 ? 1 : number(field, stepped[1], whole, List.of());
        var range = stepped[0].split("-", -1);
        boolean all = stepped[0].equals("*") || stepped[0].equals("?");
        int from = all ? field.first : number(field, range[0], whole, field.names());
        int to = range.length > 1
                ? number(field, range[1], whole, field.names())
                : (all || stepped.length > 1) ? field.last : from;
        if (stepped.length > 2 || range.length > 2 || step < 1 || from < field.first || to > field.last || from > to) {
            throw wrong(field, whole);
        }
        return IntStream.iterate(from, n -> n <= to, n -> n + step).boxed().toList();
    }

    private static int number(Field field, String text, String whole, List<String> names) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (name >= 0) {
            return name + field.first;
        }
        if (!text.matches("\\d{1,4}")) {
            throw wrong(field, whole);
        }
        return Integer.parseInt(text);
    }

    private static IllegalArgumentException wrong(Field field, String text) {
        return new IllegalArgumentException("'" + text + "' is no " + field.title + " of a crontab: "
                + field.first + " to " + field.last + " are, with lists (1,2), ranges (1-5) and steps (*/10)"
                + (field.names().isEmpty() ? "" : ", or " + String.join(", ", field.names())));
    }
}
