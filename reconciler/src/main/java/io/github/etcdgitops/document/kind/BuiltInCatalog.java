package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.spec.release.Catalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/// The catalogue of releases that ships with this program.
public final class BuiltInCatalog {
    public static final String FILE = "/catalog/etcd.yaml";

    private BuiltInCatalog() {}

    /// Read on first use: not every command needs it.
    private static final class Read {
        private static final Catalog CATALOG = CatalogReader.read(document(), Optional.empty());
    }

    public static Catalog get() {
        return Read.CATALOG;
    }

    public static YamlDocument document() {
        try (var stream = BuiltInCatalog.class.getResourceAsStream(FILE)) {
            return YamlDocuments.read(
                            FILE.substring(1),
                            Objects.requireNonNull(stream, FILE).readAllBytes())
                    .documents()
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE + " from the class path", e);
        }
    }
}
