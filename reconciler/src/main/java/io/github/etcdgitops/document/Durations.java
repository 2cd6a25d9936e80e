package io.github.etcdgitops.document;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Times as documents write them: a whole number of minutes, hours or days of 24 hours.
final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,4})([mhd])");

    private Durations() {}

    static Optional<Duration> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(match.group(1));
        String unit = match.group(2);
        var hours = Duration.ofHours(unit.equals("d") ? number * 24 : number);
        return Optional.of(unit.equals("m") ? Duration.ofMinutes(number) : hours);
    }

    /// Nothing where there is none, or none that the schema lets pass.
    static Optional<Duration> of(YamlDocument document, String... path) {
        return document.text(path).flatMap(Durations::parse);
    }
}
