package io.github.etcdgitops.gateway.store.call;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// How far this host's clock is off, by the `Date` of an answer.
public final class ClockSkew {
    private ClockSkew() {}

    /// Our time minus theirs.
    public static Optional<Duration> of(Optional<String> date, InstantSource clock) {
        return date.flatMap(text -> {
            try {
                var theirs = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
                return Optional.of(Duration.between(theirs, clock.instant()));
            } catch (DateTimeException _) {
                return Optional.empty();
            }
        });
    }

    public static String advice(Optional<String> date, InstantSource clock) {
        String skew = of(date, clock)
                .map(d -> d.abs().toSeconds() + " seconds " + (d.isNegative() ? "behind" : "ahead of"))
                .orElse("too far from");
        return "this host's clock is " + skew + " the store's; synchronise it";
    }
}
