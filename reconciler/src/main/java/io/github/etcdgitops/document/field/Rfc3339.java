package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Timestamps of RFC 3339: date, time with seconds, and an offset. A time without an offset would mean a
/// different instant on every machine.
public final class Rfc3339 {
    private static final Pattern FORM = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})");

    private Rfc3339() {}

    public static Optional<Instant> parse(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    public static void check(YamlDocument document, Findings findings, String... path) {
        document.text(path)
                .filter(text -> parse(text).isEmpty())
                .ifPresent(text -> findings.at(
                        List.of(path),
                        "bad-timestamp",
                        "`" + Shown.path(List.of(path)) + "` is " + Shown.quoted(text)
                                + "; expected a date, a time and an offset as in RFC 3339.",
                        "For example \"2026-12-01T08:00:00Z\"."));
    }
}
