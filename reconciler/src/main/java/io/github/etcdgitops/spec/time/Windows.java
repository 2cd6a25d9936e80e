package io.github.etcdgitops.spec.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Times at which something is allowed: in any window of `allow`, where there are some, and in none of
/// `deny`.
public record Windows(List<Window> allow, List<Window> deny) {
    public static final Windows ALWAYS = new Windows(List.of(), List.of());

    /// A longer operation needs no window.
    private static final Duration LONG = Duration.ofDays(366);

    /// How many openings are checked before a window counts as never fitting.
    private static final int PATIENCE = 400;

    public Windows {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /// Until when it is open without interruption; empty where it is closed.
    public Optional<Instant> openUntil(Instant now) {
        if (deny.stream().anyMatch(w -> w.openUntil(now).isPresent())) {
            return Optional.empty();
        }
        var end = allow.isEmpty() ? Optional.of(now.plus(LONG)) : allowedUntil(now);
        return end.map(e -> deny.stream()
                .flatMap(w -> w.opens(now).stream())
                .filter(e::isAfter)
                .min(Comparator.naturalOrder())
                .orElse(e));
    }

    /// Consecutive windows count as one.
    private Optional<Instant> allowedUntil(Instant now) {
        var end = latest(now);
        var reached = end;
        for (int i = 0; i < PATIENCE && reached.isPresent(); i++) {
            end = reached;
            reached = latest(reached.get());
        }
        return end;
    }

    private Optional<Instant> latest(Instant now) {
        return allow.stream().flatMap(w -> w.openUntil(now).stream()).max(Comparator.naturalOrder());
    }

    /// Whether something with this duration could start now and end inside.
    public boolean fits(Instant now, Duration needed) {
        return openUntil(now).filter(end -> !end.isBefore(now.plus(needed))).isPresent();
    }

    /// The first time from `now` on at which something with this duration can start. Empty where no checked
    /// opening is long enough.
    public Optional<Instant> next(Instant now, Duration needed) {
        Optional<Instant> candidate = Optional.of(now);
        for (int i = 0; i < PATIENCE && candidate.isPresent(); i++) {
            var time = candidate.get();
            if (fits(time, needed)) {
                return candidate;
            }
            candidate = changes(time).min(Comparator.naturalOrder());
        }
        return Optional.empty();
    }

    /// When it may open again after this time.
    private Stream<Instant> changes(Instant time) {
        return Stream.concat(
                allow.stream().flatMap(w -> w.opens(time).stream()),
                deny.stream().flatMap(w -> w.openUntil(time).or(() -> w.opens(time)).stream()));
    }
}
