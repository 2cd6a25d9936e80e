package io.github.etcdgitops.gateway.kube.api;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// Times that other programs have written. A time outside any plausible clock is ignored: arithmetic with
/// it would overflow.
public final class Moments {
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Moments() {}

    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(Instant.parse(text)).filter(time -> !time.isBefore(FIRST) && !time.isAfter(LAST));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
