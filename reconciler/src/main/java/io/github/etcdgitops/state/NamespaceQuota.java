package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ResourceQuota of a namespace, as its controller has last counted: by resource, such as `pods` or
/// `requests.storage`. A `scoped` one counts only some of the pods, of some classes of priority for example.
public record NamespaceQuota(
        String name, boolean scoped, SortedMap<String, Quantity> hard, SortedMap<String, Quantity> used) {
    public NamespaceQuota {
        hard = Collections.unmodifiableSortedMap(new TreeMap<>(hard));
        used = Collections.unmodifiableSortedMap(new TreeMap<>(used));
    }

    /// What of one of its resources may still be asked for.
    public Quantity left(String resource) {
        var limit = hard.getOrDefault(resource, Quantity.ZERO).value();
        var taken = used.getOrDefault(resource, Quantity.ZERO).value();
        return new Quantity(limit.subtract(taken).max(BigDecimal.ZERO));
    }
}
