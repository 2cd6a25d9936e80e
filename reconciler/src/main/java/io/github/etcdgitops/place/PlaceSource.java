package io.github.etcdgitops.place;

import java.util.Optional;

/// Where the operator's word is found for a set of credentials, or for the process without a set.
@FunctionalInterface
public interface PlaceSource {
    AllowedPlaces of(Optional<String> set);
}
