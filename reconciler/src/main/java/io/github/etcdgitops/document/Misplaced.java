package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The violations for documents of ours that are not read because of their folder or file name.
final class Misplaced {
    private static final String GROUP = "etcdgitops.dev/";

    private Misplaced() {}

    static boolean isOurs(YamlDocument document) {
        return document.text("apiVersion").filter(v -> v.startsWith(GROUP)).isPresent();
    }

    static Assessed of(YamlDocument document) {
        var place = document.text("kind").flatMap(DocumentKind::of).map(DocumentKind::folder);
        var violation = violation(
                document.file(),
                document.atKey(List.of("kind")),
                document.text("kind").map(Shown::plain),
                place);
        var alone = Assessed.of(document, Optional.empty());
        return new Assessed(
                alone.packed(),
                alone.kind(),
                alone.ring(),
                true,
                alone.mayRestore(),
                alone.within(),
                List.of(violation));
    }

    /// For a file with unknown contents.
    static Violation file(String file) {
        return violation(file, Location.ofFile(file), Optional.empty(), Optional.empty());
    }

    private static Violation violation(String file, Location at, Optional<String> kind, Optional<Folder> place) {
        String what = kind.map(k -> "A document of kind " + k).orElse("A file with documents of etcd-gitops");
        var around = Arrays.stream(Folder.values())
                .filter(folder -> folder.ofRepository() && folder != Folder.ROOT && folder.holds(file))
                .findFirst();
        if (around.isPresent()) {
            return Violation.of(
                    "misnamed-file",
                    at,
                    what + " is in " + file + ", which is not read: its name does not end in .yaml or .yml.",
                    "Rename the file.");
        }
        String expected = place.map(Folder::path)
                .map(path -> path.endsWith("/") ? "a file below " + path : "the file " + path + " at the root")
                .orElse("a file below clusters/, policies/, approvals/, tombstones/ or catalog/");
        return Violation.of(
                "wrong-folder",
                at,
                what + " is in " + file + ", which is not read; expected " + expected + ".",
                "Move it there. If nothing in its folder is for etcd-gitops, put an empty file .etcd-gitops-ignore"
                        + " into that folder.");
    }
}
