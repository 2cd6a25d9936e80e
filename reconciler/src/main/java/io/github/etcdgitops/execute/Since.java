package io.github.etcdgitops.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How long a condition has held without interruption.
public final class Since {
    /// A controller that is about to create an object does so within moments.
    private static final Duration FORGOTTEN = Duration.ofSeconds(15);

    private final StepContext context;
    private Optional<Instant> since = Optional.empty();

    public Since(StepContext context) {
        this.context = context;
    }

    public boolean over(boolean so) {
        since = so ? since.or(() -> Optional.of(context.now())) : Optional.empty();
        return since.filter(s -> !context.now().isBefore(s.plus(FORGOTTEN))).isPresent();
    }
}
