package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.BuiltInCatalog;
import io.github.etcdgitops.document.kind.CatalogReader;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.release.CatalogStanding;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;

/// Which catalogue of releases holds: the one in the repository, or the built-in one where that is later, or where
/// the repository has none, several, an invalid one, or one with later lines alone.
public final class CatalogChoice {
    private CatalogChoice() {}

    /// Without a repository.
    public static CatalogStanding builtIn() {
        return new CatalogStanding(BuiltInCatalog.get(), Optional.empty(), List.of());
    }

    /// Of a repository.
    public static CatalogStanding of(SourceTree tree) {
        var intake = DocumentIntake.of(tree, true, new ReadFiles());
        var violations = intake.violations();
        var catalog = of(intake.assessed(), violations);
        return new CatalogStanding(
                catalog,
                catalog.file().map(Location::ofFile),
                violations.stream()
                        .filter(v -> Folder.CATALOG.holds(v.at().file()))
                        .sorted()
                        .toList());
    }

    /// Adds what is wrong to `violations`.
    static Catalog of(List<Assessed> assessed, List<Violation> violations) {
        var builtIn = BuiltInCatalog.get();
        var own = assessed.stream()
                .filter(a -> a.is(DocumentKind.CATALOG) && a.good())
                .toList();
        if (own.size() > 1) {
            own.forEach(a -> violations.add(Violation.of(
                    "duplicate-catalog",
                    a.document().at(List.of()),
                    "There are " + own.size() + " documents of kind Catalog; a repository can have only one. The"
                            + " built-in catalogue of " + builtIn.dated() + " holds.",
                    "Keep one of them.")));
        }
        return own.size() != 1
                ? builtIn
                : later(
                        CatalogReader.read(
                                own.getFirst().document(),
                                Optional.of(own.getFirst().file())),
                        builtIn);
    }

    private static Catalog later(Catalog own, Catalog builtIn) {
        return own.lines().isEmpty() || own.dated().isBefore(builtIn.dated()) ? builtIn : own;
    }
}
