package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Set;

/// The rings that may start what is limited in a fleet: changes of feature gates, and repairs without
/// approval; and by their ids the operations that may start. The plan of all rings decides it.
public record RolloutSlots(Set<ClusterRef> features, Set<ClusterRef> repairs, Set<String> operations) {
    static final RolloutSlots NONE = new RolloutSlots(Set.of(), Set.of(), Set.of());

    public RolloutSlots {
        features = Set.copyOf(features);
        repairs = Set.copyOf(repairs);
        operations = Set.copyOf(operations);
    }
}
