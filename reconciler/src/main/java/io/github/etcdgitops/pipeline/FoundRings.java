package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.observe.Rings;
import io.github.etcdgitops.pipeline.backup.Protections;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.health.Defect;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The rings that a list has found, beside the documents.
record FoundRings(DesiredState desired, Listing listing) {
    /// Rings without a document may be as many as there are labels.
    static FoundRings list(Rings rings, DesiredState desired) {
        return new FoundRings(
                desired,
                rings.list(ref -> desired.rings().containsKey(ref)
                        || desired.rejected().contains(ref)
                        || !desired.tombstones(ref).isEmpty()));
    }

    /// Of a part, other rings are left out: they would take its memory. But where retention may delete backups, the
    /// journals of all rings count.
    static FoundRings part(Rings rings, DesiredState desired, String environment, Predicate<ClusterRef> mine) {
        return Protections.askAllRings(desired, environment)
                ? list(rings, desired)
                : new FoundRings(desired, rings.list(mine));
    }

    /// Those without a document.
    List<ClusterRef> orphans() {
        return listing.refs().stream()
                .filter(ref -> !desired.rings().containsKey(ref))
                .filter(ref -> !desired.rejected().contains(ref))
                .toList();
    }

    /// Empty for a ring that the list has not found.
    Optional<KubeState> state(ClusterRef ref) {
        return Defect.contain(() -> listing.state(ref), defect -> Optional.of(KubeState.unread(defect.in(ref))));
    }
}
