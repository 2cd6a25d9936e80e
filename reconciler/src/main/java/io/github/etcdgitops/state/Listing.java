package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The rings that a list has found, and what it left out, each as a sentence for people.
public record Listing(SortedMap<ClusterRef, KubeState> rings, List<String> leftOut) {
    public Listing {
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        leftOut = List.copyOf(leftOut);
    }

    public static Listing of(SortedMap<ClusterRef, KubeState> rings) {
        return new Listing(rings, List.of());
    }
}
