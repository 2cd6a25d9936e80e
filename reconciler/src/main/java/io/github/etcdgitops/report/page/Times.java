package io.github.etcdgitops.report.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times as the page shows them.
final class Times {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Times() {}

    static String second(Instant time) {
        return SECOND.format(time);
    }

    static String minute(Instant time) {
        return MINUTE.format(time);
    }

    static String day(Instant time) {
        return time.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }
}
