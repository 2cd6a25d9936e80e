package io.github.etcdgitops.place;

import java.util.Optional;

/// Finds the operator's statement for a set of credentials, or for the process without a set.
@FunctionalInterface
public interface PlaceSource {
    AllowedPlaces of(Optional<String> set);
}
