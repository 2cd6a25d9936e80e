package io.github.etcdgitops.document;

import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.util.Collection;
import java.util.List;

/// A document about a ring that no other document describes.
final class UnknownRing {
    private UnknownRing() {}

    static Violation named(Assessed document, ClusterRef ring, String so, Collection<ClusterRef> described) {
        var near = described.stream()
                .filter(other -> other.namespace().equals(ring.namespace())
                        || other.name().equals(ring.name()))
                .map(ClusterRef::toString)
                .toList();
        return Violation.of(
                "unknown-ring",
                document.document().at(List.of("spec", "cluster", "name")),
                "No EtcdCluster describes the ring " + ring + "; " + so,
                Suggestion.nearest(ring.toString(), near)
                        .map(nearest -> "Did you mean `" + nearest + "`?")
                        .orElse("Write its document, or delete this one."));
    }
}
