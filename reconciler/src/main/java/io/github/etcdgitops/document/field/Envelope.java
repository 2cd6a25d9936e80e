package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The envelope of a document: its format, its kind, and the ring that it names. `readable` says whether
/// the content of this kind and format can be checked; `misplaced` that its file is in the wrong folder.
public record Envelope(Optional<DocumentKind> kind, Optional<ClusterRef> named, boolean readable, boolean misplaced) {
    private static final Pattern RESTORE = Pattern.compile("restor", Pattern.CASE_INSENSITIVE);
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /// `folder` is the file's folder; empty when that does not matter.
    public static Envelope open(YamlDocument document, Optional<Folder> folder, Findings findings) {
        var kind = document.text("kind").flatMap(DocumentKind::of);
        var named = ref(document, "metadata");
        if (!document.whole()) {
            return new Envelope(kind, named, false, false);
        }
        if (!(document.root() instanceof YamlNode.Mapping)) {
            findings.at(
                    List.of(),
                    "not-an-object",
                    "The document is " + document.root().shown(List.of())
                            + "; expected an object with apiVersion, kind, metadata and spec.",
                    "Start it with `apiVersion: " + DocumentKind.API_VERSION + "`.");
            return new Envelope(kind, named, false, false);
        }
        boolean known = checkApiVersion(document, findings);
        boolean supported = checkKind(document, kind, findings);
        boolean misplaced = kind.isPresent() && folder.isPresent() && kind.get().folder() != folder.get();
        if (misplaced) {
            findings.at(
                    List.of("kind"),
                    "wrong-folder",
                    "A document of kind " + kind.get().title() + " stands in " + document.file() + "; expected "
                            + place(kind.get().folder()) + ".",
                    "Move it there: documents of this kind are expected in that folder.");
        }
        return new Envelope(kind, named, known && supported, misplaced);
    }

    /// Whether the document is, or may be, about a ring: an unknown kind counts where rings are kept. A
    /// ring that is not touched is safer than one that is taken for no longer wanted.
    public boolean claimsRing(Optional<Folder> folder) {
        boolean ringsLiveHere = folder.isEmpty() || folder.get() == Folder.CLUSTERS;
        return named.isPresent()
                && kind.map(k -> k == DocumentKind.ETCD_CLUSTER).orElse(ringsLiveHere);
    }

    /// Whether the document describes, or may describe, a restore: an unknown kind counts if it looks like
    /// one. A ring that is not touched is safer than one that is created empty.
    public boolean mayRestore(YamlDocument document, Optional<Folder> folder) {
        boolean ringsLiveHere = folder.isEmpty() || folder.get() == Folder.CLUSTERS;
        boolean looksLikeIt = document.has("spec", "cluster")
                || document.has("spec", "from")
                || document.text("kind").filter(RESTORE.asPredicate()).isPresent();
        return kind.map(k -> k == DocumentKind.ETCD_RESTORE).orElse(ringsLiveHere && looksLikeIt);
    }

    /// The ring that is named below this place, if these are valid names of a ring.
    public static Optional<ClusterRef> ref(YamlDocument document, String... path) {
        return label(document, path, "namespace")
                .flatMap(namespace -> label(document, path, "name").map(name -> new ClusterRef(namespace, name)));
    }

    private static Optional<String> label(YamlDocument document, String[] path, String field) {
        var place = Arrays.copyOf(path, path.length + 1);
        place[path.length] = field;
        return document.text(place).filter(DNS_LABEL.asMatchPredicate());
    }

    private static boolean checkApiVersion(YamlDocument document, Findings findings) {
        if (!document.has("apiVersion")) {
            missing(findings, "apiVersion", DocumentKind.API_VERSION);
            return false;
        }
        var found = document.text("apiVersion").orElse("");
        if (!found.equals(DocumentKind.API_VERSION)) {
            findings.at(
                    List.of("apiVersion"),
                    "unknown-api-version",
                    "`apiVersion` is " + describe(document, "apiVersion") + "; only " + DocumentKind.API_VERSION
                            + " is supported.",
                    "Write `apiVersion: " + DocumentKind.API_VERSION + "`.");
            return false;
        }
        return true;
    }

    private static boolean checkKind(YamlDocument document, Optional<DocumentKind> kind, Findings findings) {
        if (!document.has("kind")) {
            missing(findings, "kind", DocumentKind.ETCD_CLUSTER.title());
            return false;
        }
        if (kind.isEmpty()) {
            var nearest = Suggestion.nearest(document.text("kind").orElse(""), DocumentKind.titles());
            findings.at(
                    List.of("kind"),
                    "unknown-kind",
                    "`kind` is " + describe(document, "kind") + ", which is not a kind of document.",
                    nearest.map(n -> "Did you mean `" + n + "`?")
                            .orElse("Kinds: " + String.join(", ", DocumentKind.titles()) + "."));
            return false;
        }
        return true;
    }

    private static void missing(Findings findings, String field, String example) {
        findings.at(
                List.of(field),
                "missing-field",
                "`" + field + "` is missing; the document cannot be read without it.",
                "For example `" + field + ": " + example + "`.");
    }

    private static String describe(YamlDocument document, String field) {
        return document.find(field).map(YamlNode::describe).orElse("nothing");
    }

    private static String place(Folder folder) {
        return folder == Folder.ROOT ? "the file " + folder.path() + " at the root" : "a file below " + folder.path();
    }
}
