package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ResourceQuota of a namespace, by the latest count of its controller: by resource, such as `pods` or
/// `requests.storage`. A `scoped` one counts only some of the pods, for example those of some priority
/// classes.
public record NamespaceQuota(
        String name, boolean scoped, SortedMap<String, Quantity> hard, SortedMap<String, Quantity> used) {
    public NamespaceQuota {
        hard = Collections.unmodifiableSortedMap(new TreeMap<>(hard));
        used = Collections.unmodifiableSortedMap(new TreeMap<>(used));
    }

    /// How much of a resource may still be requested.
    public Quantity left(String resource) {
        var limit = hard.getOrDefault(resource, Quantity.ZERO).value();
        var taken = used.getOrDefault(resource, Quantity.ZERO).value();
        return new Quantity(limit.subtract(taken).max(BigDecimal.ZERO));
    }
}
