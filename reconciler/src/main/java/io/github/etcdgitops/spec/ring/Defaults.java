package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.Features;
/// Values from a level above the rings, the Fleet or one of its environments, for rings that do not set
/// them.

public record Defaults(Features features, RepairModes repairs) {
    public static final Defaults NONE = new Defaults(Features.NONE, RepairModes.NONE);

    /// The same below another level, whose values apply where this one has none.
    public Defaults below(Defaults outer) {
        return new Defaults(features.below(outer.features), repairs.below(outer.repairs));
    }
}
