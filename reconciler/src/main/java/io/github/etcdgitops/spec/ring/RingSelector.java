package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Namespaces;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Selects rings: all given conditions must hold. `labels` are those of the rings' documents, `gates` the
/// feature gates that must be on or off in effect. Nothing outside of `within` is selected: it is not a
/// condition, but the limit of the conditions' author.
public record RingSelector(
        List<String> environments,
        List<String> namespaces,
        SortedMap<String, String> labels,
        SortedMap<FeatureGate, Boolean> gates,
        Namespaces within) {
    public RingSelector {
        environments = List.copyOf(environments);
        namespaces = List.copyOf(namespaces);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        gates = Collections.unmodifiableSortedMap(new TreeMap<>(gates));
    }

    /// In any namespace.
    public RingSelector(
            List<String> environments,
            List<String> namespaces,
            SortedMap<String, String> labels,
            SortedMap<FeatureGate, Boolean> gates) {
        this(environments, namespaces, labels, gates, Namespaces.ALL);
    }

    /// Without feature gates.
    public RingSelector(List<String> environments, List<String> namespaces, SortedMap<String, String> labels) {
        this(environments, namespaces, labels, new TreeMap<>());
    }

    /// Without any condition: its owner decides whether that means all rings or none.
    public boolean isEmpty() {
        return environments.isEmpty() && namespaces.isEmpty() && labels.isEmpty() && gates.isEmpty();
    }

    public boolean selects(EtcdClusterSpec ring) {
        var found = ring.declaration().labels();
        return maySelect(ring.ref())
                && holdsFor(environments, ring.declaration().environment().orElse(Fleet.DEFAULT_ENVIRONMENT))
                && labels.entrySet().stream().allMatch(l -> l.getValue().equals(found.get(l.getKey())))
                && gates.entrySet().stream()
                        .allMatch(g -> ring.server().features().on(g.getKey()) == g.getValue());
    }

    /// Whether it may select a ring without a document, whose labels and gates are unknown.
    public boolean maySelect(ClusterRef ref) {
        return holdsFor(namespaces, ref.namespace()) && within.contains(ref.namespace());
    }

    private static boolean holdsFor(List<String> wanted, String found) {
        return wanted.isEmpty() || wanted.contains(found);
    }
}
