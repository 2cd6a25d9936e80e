package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Set;

/// Rings that may begin what only so many of a fleet may be in the midst of: to change feature gates, and
/// to be mended unasked; and by their ids the operations that may begin. It is told by the plan of all of them.
public record RolloutSlots(Set<ClusterRef> features, Set<ClusterRef> repairs, Set<String> operations) {
    static final RolloutSlots NONE = new RolloutSlots(Set.of(), Set.of(), Set.of());

    public RolloutSlots {
        features = Set.copyOf(features);
        repairs = Set.copyOf(repairs);
        operations = Set.copyOf(operations);
    }
}
