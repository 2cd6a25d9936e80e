package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import java.util.Optional;

/// A document that is, or may be, a backup policy and that cannot be carried out. It may ask for a backup
/// before a change: that a typing error took it out must not let the change pass without.
///
/// `rings` are those that it selects; empty where that cannot be told. It is about no ring outside of `within`.
/// `source`
/// may be a whole file.
public record RejectedPolicy(Optional<String> name, Optional<RingSelector> rings, Namespaces within, Location source)
        implements Comparable<RejectedPolicy> {
    @Override
    public int compareTo(RejectedPolicy other) {
        return source.compareTo(other.source);
    }
}
