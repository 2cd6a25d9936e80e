package io.github.etcdgitops.spec.time;

import io.github.etcdgitops.inert.Inert;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A five-field crontab as a Kubernetes CronJob reads it: minute, hour, day of the month, month, day of the
/// week (0 is Sunday), with lists, ranges, steps and English names, or `@hourly` and similar.
///
/// Where both kinds of days are restricted, a day of either kind matches; a step over all of them counts as
/// a restriction. The times are wall-clock times: a time zone turns them into instants.
public record Crontab(String text, Map<Field, Values> fields) {
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

    /// From one 29th of February to the next are at most eight years.
    private static final int LONGEST_WAIT_YEARS = 9;

    private static final int LONGEST_SHOWN = 40;

    public Crontab {
        fields = Collections.unmodifiableMap(new EnumMap<>(fields));
    }

    public enum Field {
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

        /// Names for the numbers from the first one on.
        List<String> names() {
            return switch (this) {
                case MINUTE, HOUR, DAY -> List.of();
                case MONTH -> MONTHS;
                case WEEKDAY -> WEEKDAYS;
            };
        }
    }

    /// The values that a field allows. `any` where it says `*`; `stepped` where it says that or a step over
    /// all, such as `*/6`.
    public record Values(NavigableSet<Integer> numbers, boolean any, boolean stepped) {
        public Values {
            numbers = Collections.unmodifiableNavigableSet(new TreeSet<>(numbers));
        }
    }

    /// Throws IllegalArgumentException with the field and its error.
    public static Crontab parse(String text) {
        String stripped = text.strip();
        String fields = SHORT.getOrDefault(stripped, stripped);
        if (fields.startsWith("@")) {
            throw new IllegalArgumentException("the crontab '" + shown(text) + "' is not one of "
                    + SHORT.keySet().stream().sorted().toList());
        }
        var parts = List.of(fields.split("\\s+"));
        if (parts.size() != Field.values().length) {
            throw new IllegalArgumentException("the crontab '" + shown(text) + "' has " + parts.size()
                    + " fields; minute, hour, day of the month, month and day of the week are expected");
        }
        var values = new EnumMap<Field, Values>(Field.class);
        var part = parts.iterator();
        for (Field field : Field.values()) {
            values.put(field, values(field, part.next()));
        }
        return new Crontab(stripped, values);
    }

    private static Values values(Field field, String text) {
        var numbers = new TreeSet<Integer>();
        boolean any = false;
        boolean stepped = false;
        for (String part : text.split(",", -1)) {
            any |= part.equals("*") || part.equals("?");
            stepped |= part.startsWith("*") || part.startsWith("?");
            numbers.addAll(numbers(field, part, text));
        }
        return new Values(numbers, any, stepped);
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
        return new IllegalArgumentException("'" + shown(text) + "' is not a " + field.title + " of a crontab: "
                + field.first + " to " + field.last + " are, with lists (1,2), ranges (1-5) and steps (*/10)"
                + (field.names().isEmpty() ? "" : ", or " + String.join(", ", field.names())));
    }

    /// On one line and limited in length.
    private static String shown(String text) {
        String line = Inert.line(text);
        return line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line;
    }

    public Values values(Field field) {
        return Objects.requireNonNull(fields.get(field));
    }

    /// False for a day that none of its months has, such as the 31st of February.
    public boolean comes() {
        return values(Field.MONTH).numbers().stream()
                .anyMatch(month -> !values(Field.WEEKDAY).any()
                        || values(Field.DAY).numbers().first()
                                <= Month.of(month).maxLength());
    }

    /// The first time of the crontab that is not before this one.
    public Optional<LocalDateTime> atOrAfter(LocalDateTime time) {
        var date = time.toLocalDate();
        if (day(date)) {
            var later = timeAtOrAfter(time.toLocalTime());
            if (later.isPresent()) {
                return later.map(date::atTime);
            }
        }
        var first = LocalTime.of(
                values(Field.HOUR).numbers().first(),
                values(Field.MINUTE).numbers().first());
        return date.plusDays(1)
                .datesUntil(date.plusYears(LONGEST_WAIT_YEARS))
                .filter(this::day)
                .findFirst()
                .map(d -> d.atTime(first));
    }

    /// The last time of the crontab that is not after this one.
    public Optional<LocalDateTime> atOrBefore(LocalDateTime time) {
        var date = time.toLocalDate();
        if (day(date)) {
            var earlier = timeAtOrBefore(time.toLocalTime());
            if (earlier.isPresent()) {
                return earlier.map(date::atTime);
            }
        }
        var last = LocalTime.of(
                values(Field.HOUR).numbers().last(),
                values(Field.MINUTE).numbers().last());
        var earliest = date.minusYears(LONGEST_WAIT_YEARS);
        for (var d = date.minusDays(1); d.isAfter(earliest); d = d.minusDays(1)) {
            if (day(d)) {
                return Optional.of(d.atTime(last));
            }
        }
        return Optional.empty();
    }

    private boolean day(LocalDate date) {
        var days = values(Field.DAY);
        var weekdays = values(Field.WEEKDAY);
        boolean byDay = days.numbers().contains(date.getDayOfMonth());
        boolean byWeekday = weekdays.numbers().contains(date.getDayOfWeek().getValue() % WEEKDAYS.size());
        boolean either = !days.any() && !weekdays.any();
        return values(Field.MONTH).numbers().contains(date.getMonthValue())
                && (either ? byDay || byWeekday : byDay && byWeekday);
    }

    private Optional<LocalTime> timeAtOrAfter(LocalTime time) {
        boolean begun = time.getSecond() > 0 || time.getNano() > 0;
        var minutes = values(Field.MINUTE).numbers();
        if (values(Field.HOUR).numbers().contains(time.getHour())) {
            var minute = begun ? minutes.higher(time.getMinute()) : minutes.ceiling(time.getMinute());
            if (minute != null) {
                return Optional.of(LocalTime.of(time.getHour(), minute));
            }
        }
        return Optional.ofNullable(values(Field.HOUR).numbers().higher(time.getHour()))
                .map(hour -> LocalTime.of(hour, minutes.first()));
    }

    private Optional<LocalTime> timeAtOrBefore(LocalTime time) {
        var minutes = values(Field.MINUTE).numbers();
        if (values(Field.HOUR).numbers().contains(time.getHour())) {
            var minute = minutes.floor(time.getMinute());
            if (minute != null) {
                return Optional.of(LocalTime.of(time.getHour(), minute));
            }
        }
        return Optional.ofNullable(values(Field.HOUR).numbers().lower(time.getHour()))
                .map(hour -> LocalTime.of(hour, minutes.last()));
    }
}
