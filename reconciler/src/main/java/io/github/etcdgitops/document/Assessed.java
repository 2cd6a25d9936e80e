package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.ByteFields;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Envelope;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.KindChecks;
import io.github.etcdgitops.document.schema.SchemaCheck;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.PackedDocument;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One document after all checks of the document alone. `ring` is the ring that it names, valid or not;
/// `mayRestore` says that it describes, or may describe, a restore.
record Assessed(
        PackedDocument packed,
        Optional<DocumentKind> kind,
        Optional<ClusterRef> ring,
        boolean misplaced,
        boolean mayRestore,
        Namespaces within,
        List<Violation> violations) {
    /// Where a violation leaves nothing certain: in the envelope of a document, which is checked first.
    private static final Set<String> UNCLEAR = Set.of("", "/apiVersion", "/spec");

    static Assessed of(YamlDocument written, Optional<Folder> folder) {
        var findings = new Findings(written);
        var envelope = Envelope.open(written, folder, findings);
        var document = written;
        if (envelope.readable()) {
            var kind = envelope.kind().orElseThrow();
            document = ByteFields.asNumbers(written, kind);
            findings.addAll(SchemaCheck.check(document, kind));
            KindChecks.check(document, kind, findings);
        }
        return new Assessed(
                PackedDocument.of(document),
                envelope.kind(),
                envelope.claimsRing(folder) ? envelope.named() : Optional.empty(),
                envelope.misplaced(),
                envelope.mayRestore(document, folder),
                Namespaces.ALL,
                findings.all());
    }

    /// The same below a path whose documents may only be about rings of these namespaces, with the
    /// violations for that.
    Assessed inside(Namespaces fence, List<Violation> trouble) {
        var all = new ArrayList<>(violations);
        all.addAll(trouble);
        return new Assessed(packed, kind, ring, misplaced, mayRestore, fence, List.copyOf(all));
    }

    /// The document, which is unpacked for each call.
    YamlDocument document() {
        return packed.open();
    }

    String file() {
        return packed.file();
    }

    boolean is(DocumentKind wanted) {
        return kind.filter(k -> k == wanted).isPresent();
    }

    /// Whether it describes, or may describe, when rings are backed up.
    boolean mayBePolicy() {
        return kind.map(k -> k == DocumentKind.BACKUP_POLICY)
                .orElseGet(() -> Folder.POLICIES.holds(file()) || document().has("spec", "destination"));
    }

    /// Whether everything is valid that says which rings a `policy` selects, which is a BackupPolicy or a
    /// Policy. Without `spec.clusters`, any unknown field beside it may be a misspelt one.
    boolean selectsClearly(DocumentKind policy) {
        if (!is(policy)) {
            return false;
        }
        var document = document();
        boolean given = document.has("spec", "clusters");
        return document.whole()
                && (given || document.violations().isEmpty())
                && violations.stream()
                        .noneMatch(v -> UNCLEAR.contains(v.at().pointer())
                                || v.at().pointer().startsWith("/spec/clusters")
                                || (!given && v.code().equals("unknown-field")));
    }

    /// The ring that an EtcdBackup, an EtcdRestore, a VolumeReset or a MemberReplacement is about, if it
    /// can be determined.
    Optional<ClusterRef> concerned() {
        return Envelope.ref(document(), "spec", "cluster");
    }

    /// Whether a location has no violation yet. A file in the wrong folder has no valid location.
    boolean notWrongAt(Location place) {
        return !misplaced && violations.stream().noneMatch(v -> v.at().pointer().equals(place.pointer()));
    }

    /// Whether it may be the document of some unknown ring.
    boolean mayBeAnyRing() {
        return !good()
                && ring.isEmpty()
                && kind.map(k -> k == DocumentKind.ETCD_CLUSTER).orElse(true);
    }

    boolean good() {
        return violations.isEmpty();
    }
}
