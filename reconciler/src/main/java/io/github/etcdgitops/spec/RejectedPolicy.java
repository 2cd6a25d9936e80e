package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// A document that is, or may be, a backup policy and is invalid. It may require a backup before a change:
/// a typing error in it must not allow the change without a backup.
///
/// `rings` are those that it selects; empty where that is unknown. It applies to no ring outside of
/// `within`. `source` may be a whole file.
public record RejectedPolicy(Optional<String> name, Optional<RingSelector> rings, Namespaces within, Location source)
        implements Comparable<RejectedPolicy> {
    @Override
    public int compareTo(RejectedPolicy other) {
        return source.compareTo(other.source);
    }
}
