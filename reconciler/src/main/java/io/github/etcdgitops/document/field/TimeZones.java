package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Suggestion;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The zones of the IANA database, and the advice for invalid names. Only these zones have rules for summer
/// and winter: an offset has none, and an abbreviation is ambiguous (CST is Chicago, Shanghai or Havana).
public final class TimeZones {
    private static final Set<String> ALL = ZoneId.getAvailableZoneIds();
    private static final Set<String> PLACES =
            ALL.stream().filter(zone -> zone.indexOf('/') > 0).collect(Collectors.toUnmodifiableSet());

    /// The areas of the database; the other names with a slash are old links and offsets.
    private static final List<String> AREAS = List.of(
            "Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/");

    private static final Pattern OFFSET = Pattern.compile(
            "(?:UTC|GMT|Z|Etc/GMT|Etc/UTC)? ?([-+])?([0-9]{1,2})(?::?([0-9]{2}))?", Pattern.CASE_INSENSITIVE);
    private static final Pattern ABBREVIATION =
            Pattern.compile("[A-Z]{1,6}|[A-Z]{3,4}[0-9]{1,2}[A-Z]{0,4}", Pattern.CASE_INSENSITIVE);
    private static final int LAST_WEST = 12;
    private static final int LAST_EAST = 14;

    private TimeZones() {}

    public static Optional<ZoneId> find(String name) {
        return ALL.contains(name) ? Optional.of(ZoneId.of(name)) : Optional.empty();
    }

    /// What is wrong with an invalid name, and what to write.
    public record Trouble(String what, String remedy) {}

    public static Trouble trouble(String name) {
        String none = "which is not a time zone of the IANA database";
        var sameLetters = ALL.stream().filter(name::equalsIgnoreCase).findFirst();
        if (sameLetters.isPresent()) {
            return new Trouble(none, "Write `" + sameLetters.get() + "`.");
        }
        var offset = OFFSET.matcher(name);
        if (offset.matches()) {
            return new Trouble("an offset, which has no daylight saving time", ofOffset(offset));
        }
        var city = inAnArea(name);
        if (city.isPresent()) {
            return new Trouble(none, "Did you mean `" + city.get() + "`?");
        }
        if (ABBREVIATION.matcher(name).matches()) {
            return new Trouble(
                    none + "; abbreviations are ambiguous", "Name a city, for example America/New_York, or UTC.");
        }
        return new Trouble(
                none,
                Suggestion.nearest(name, PLACES)
                        .map(nearest -> "Did you mean `" + nearest + "`?")
                        .orElse("For example Europe/Vienna, or UTC."));
    }

    /// For `Berlin` or `new york`: the zone with that ending.
    private static Optional<String> inAnArea(String name) {
        String city = name.strip().replace(' ', '_').toLowerCase(Locale.ROOT);
        return PLACES.stream()
                .filter(zone -> AREAS.stream().anyMatch(zone::startsWith)
                        && zone.substring(zone.indexOf('/') + 1)
                                .toLowerCase(Locale.ROOT)
                                .equals(city))
                .min(String::compareTo);
    }

    /// In `Etc/` the sign is reversed: zones ahead of UTC have a minus.
    private static String ofOffset(Matcher offset) {
        int hours = Integer.parseInt(offset.group(2));
        boolean whole = offset.group(3) == null || offset.group(3).equals("00");
        boolean west = "-".equals(offset.group(1));
        if (hours == 0 && whole) {
            return "Write UTC.";
        }
        boolean signed = offset.group(1) != null
                && !offset.group().toLowerCase(Locale.ROOT).startsWith("etc");
        if (!signed || !whole || hours > (west ? LAST_WEST : LAST_EAST)) {
            return "Name a city, for example Europe/Vienna, or UTC.";
        }
        return "Name a city, for example Europe/Vienna; the zone that is always " + hours + " hours "
                + (west ? "behind" : "ahead of") + " UTC is Etc/GMT" + (west ? "+" : "-") + hours + ".";
    }
}
