package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.YamlDocument;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// Durations in documents: a whole number of seconds, minutes, hours or days of 24 hours.
public final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,4})([smhd])");

    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);

    private Durations() {}

    static Optional<Duration> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(match.group(1));
        return Optional.of(Duration.of(number, Objects.requireNonNull(UNITS.get(match.group(2)))));
    }

    /// Empty where there is none, or none that the schema allows.
    public static Optional<Duration> of(YamlDocument document, String... path) {
        return document.text(path).flatMap(Durations::parse);
    }
}
