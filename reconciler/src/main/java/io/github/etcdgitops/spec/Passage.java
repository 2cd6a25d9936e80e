package io.github.etcdgitops.spec;

import java.util.List;
import java.util.Optional;

/// What somebody wrote in a document, and stands in `file` now. The document is known by `kind`, `namespace`, `name`
/// and, of an approval, by whom it says to be, wherever it stood before. `pointer` is a JSON pointer; the empty one is
/// all of the document.
public record Passage(
        String file, String kind, Optional<String> namespace, String name, Optional<String> by, String pointer) {
    public static final String RING = "EtcdCluster";

    /// Whoever wrote of it at any time counts. Of the document of a ring, which lives for years, it is whoever made
    /// the passage what it is.
    public boolean sinceItsBeginning() {
        return !kind.equals(RING);
    }

    public List<String> path() {
        return pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/"));
    }

    public static Passage of(EtcdClusterSpec ring, String pointer) {
        var ref = ring.ref();
        return new Passage(
                ring.declaration().source().file(),
                RING,
                Optional.of(ref.namespace()),
                ref.name(),
                Optional.empty(),
                pointer);
    }

    public static Passage of(Approval approval) {
        return new Passage(
                approval.source().file(),
                "Approval",
                Optional.empty(),
                approval.name(),
                Optional.of(approval.approvedBy()),
                "");
    }

    public static Passage of(Tombstone tombstone) {
        return whole("Tombstone", tombstone.name(), tombstone.source().file());
    }

    public static Passage of(VolumeReset reset) {
        return whole("VolumeReset", reset.name(), reset.source().file());
    }

    public static Passage of(MemberReplacement replacement) {
        return whole(
                "MemberReplacement", replacement.name(), replacement.source().file());
    }

    public static Passage of(RestoreRequest request) {
        return whole("EtcdRestore", request.name(), request.source().file());
    }

    private static Passage whole(String kind, String name, String file) {
        return new Passage(file, kind, Optional.empty(), name, Optional.empty(), "");
    }
}
