package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Envelope;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.MemberReplacement;
import io.github.etcdgitops.spec.ring.VolumeReset;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Reads the volumes and members to give up from all documents together. An invalid one takes no ring out
/// of the run: nothing is given up without a clear request.
///
/// `whole` says that all documents of a repository were read: only then a missing one does not exist.
final class RepairRequests {
    private static final String CLAIM = "claimUid";
    private static final String MEMBER = "memberId";

    private final List<Assessed> assessed;
    private final boolean whole;
    private final List<Violation> violations = new ArrayList<>();

    RepairRequests(List<Assessed> assessed, boolean whole) {
        this.assessed = assessed;
        this.whole = whole;
    }

    /// Puts the requests into the specs of the rings.
    void read(SortedMap<ClusterRef, EtcdClusterSpec> rings, Collection<ClusterRef> rejected) {
        var described = new HashSet<>(rings.keySet());
        described.addAll(rejected);
        var resets = byRing(DocumentKind.VOLUME_RESET, described, RepairRequests::reset);
        var replacements = byRing(DocumentKind.MEMBER_REPLACEMENT, described, RepairRequests::replacement);
        rings.replaceAll((ref, spec) ->
                spec.asking(resets.getOrDefault(ref, List.of()), replacements.getOrDefault(ref, List.of())));
    }

    private <T> SortedMap<ClusterRef, List<T>> byRing(
            DocumentKind kind, Set<ClusterRef> described, Function<YamlDocument, T> read) {
        var byRing = new TreeMap<ClusterRef, List<T>>();
        var seen = new TreeMap<String, Location>();
        for (var document : assessed) {
            if (!document.is(kind) || !document.good()) {
                continue;
            }
            var ring = document.concerned().orElseThrow();
            var earlier = Optional.ofNullable(
                    seen.putIfAbsent(key(document, ring), document.document().at(List.of())));
            var trouble = earlier.map(at -> twice(document, at))
                    .or(() -> whole && !described.contains(ring)
                            ? Optional.of(UnknownRing.named(document, ring, nothing(document), described))
                            : Optional.empty());
            trouble.ifPresentOrElse(
                    violations::add,
                    () -> byRing.computeIfAbsent(ring, _ -> new ArrayList<>()).add(read.apply(document.document())));
        }
        return byRing;
    }

    /// What no second document may name. The members of two rings may have the same ID; the claims of one
    /// namespace may not. A document for another namespace conflicts with nothing.
    private static String key(Assessed document, ClusterRef ring) {
        return document.is(DocumentKind.VOLUME_RESET)
                ? ring.namespace() + " "
                        + document.document().text("spec", CLAIM).orElseThrow()
                : ring + " " + document.document().text("spec", MEMBER).orElseThrow();
    }

    private static String nothing(Assessed document) {
        return document.is(DocumentKind.VOLUME_RESET)
                ? "there is no volume to give up."
                : "there is no member to replace.";
    }

    private static VolumeReset reset(YamlDocument document) {
        return new VolumeReset(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                ordinal(document),
                document.text("spec", CLAIM).orElseThrow(),
                document.text("spec", "reason").orElseThrow(),
                document.at(List.of()));
    }

    private static MemberReplacement replacement(YamlDocument document) {
        return new MemberReplacement(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                ordinal(document),
                document.text("spec", MEMBER).orElseThrow(),
                document.text("spec", "reason").orElseThrow(),
                document.at(List.of()));
    }

    private static int ordinal(YamlDocument document) {
        return (int) (long) document.number("spec", "ordinal").orElseThrow();
    }

    private static Violation twice(Assessed document, Location earlier) {
        return document.is(DocumentKind.VOLUME_RESET)
                ? Violation.of(
                        "duplicate-reset",
                        document.document().at(List.of("spec", CLAIM)),
                        "This claim is already named at " + earlier + ".",
                        "Delete one of the two: a claim's UID belongs to one member of one ring.")
                : Violation.of(
                        "duplicate-replacement",
                        document.document().at(List.of("spec", MEMBER)),
                        "This member is already named at " + earlier + ".",
                        "Delete one of the two: a member can be replaced only once.");
    }

    List<Violation> violations() {
        return violations;
    }
}
