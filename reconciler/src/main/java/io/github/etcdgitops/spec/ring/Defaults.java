package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.Features;
/// What a level above the rings, the Fleet or one of its environments, says for those of its rings that
/// do not say it themselves.

public record Defaults(Features features, RepairModes repairs) {
    public static final Defaults NONE = new Defaults(Features.NONE, RepairModes.NONE);

    /// The same below another level, whose word counts where this one is silent.
    public Defaults below(Defaults outer) {
        return new Defaults(features.below(outer.features), repairs.below(outer.repairs));
    }
}
