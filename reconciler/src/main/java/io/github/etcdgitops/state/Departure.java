package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Optional;

/// The removal of the member that had a claim; `at` is empty where no date was recorded.
public record Departure(Optional<Instant> at) {
    public static final Departure UNDATED = new Departure(Optional.empty());
}
