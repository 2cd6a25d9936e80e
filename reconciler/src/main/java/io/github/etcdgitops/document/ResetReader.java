package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.VolumeReset;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Volumes that are to be given up, out of all documents together. A wrong one takes no ring out: nothing
/// is given up that is not asked for without a doubt.
///
/// `whole` tells that all documents of a repository were read: only then does one that is not there not
/// exist.
final class ResetReader {
    private final List<Assessed> assessed;
    private final boolean whole;
    private final List<Violation> violations = new ArrayList<>();

    ResetReader(List<Assessed> assessed, boolean whole) {
        this.assessed = assessed;
        this.whole = whole;
    }

    /// Puts what is asked for into the specs of the rings.
    void read(SortedMap<ClusterRef, EtcdClusterSpec> rings, Collection<ClusterRef> rejected) {
        var described = new HashSet<>(rings.keySet());
        described.addAll(rejected);
        var byRing = new TreeMap<ClusterRef, List<VolumeReset>>();
        var seen = new TreeMap<String, Location>();
        for (var document : assessed) {
            if (!document.is(DocumentKind.VOLUME_RESET) || !document.good()) {
                continue;
            }
            var reset = reset(document.document());
            var earlier = Optional.ofNullable(seen.putIfAbsent(reset.claimUid(), reset.source()));
            var trouble = earlier.map(at -> twice(document, at))
                    .or(() -> whole && !described.contains(reset.cluster())
                            ? Optional.of(UnknownRing.named(
                                    document, reset.cluster(), "there is no volume to give up.", described))
                            : Optional.empty());
            trouble.ifPresentOrElse(
                    violations::add,
                    () -> byRing.computeIfAbsent(reset.cluster(), _ -> new ArrayList<>())
                            .add(reset));
        }
        rings.replaceAll((ref, spec) -> spec.asking(byRing.getOrDefault(ref, List.of())));
    }

    private static VolumeReset reset(YamlDocument document) {
        return new VolumeReset(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                (int) (long) document.number("spec", "ordinal").orElseThrow(),
                document.text("spec", "claimUid").orElseThrow(),
                document.text("spec", "reason").orElseThrow(),
                document.at(List.of()));
    }

    private static Violation twice(Assessed document, Location earlier) {
        return Violation.of(
                "duplicate-reset",
                document.document().at(List.of("spec", "claimUid")),
                "That the volume of this claim is given up is said already at " + earlier + ".",
                "Delete one of the two: a claim's UID is that of one member of one ring.");
    }

    List<Violation> violations() {
        return violations;
    }
}
