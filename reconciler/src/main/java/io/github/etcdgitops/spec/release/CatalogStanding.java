package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;

/// Which catalogue of etcd releases holds. `source` is where it was read, empty for the built-in one;
/// `violations` are about the catalogue of the repository.
public record CatalogStanding(Catalog catalog, Optional<Location> source, List<Violation> violations) {
    public CatalogStanding {
        violations = List.copyOf(violations);
    }
}
