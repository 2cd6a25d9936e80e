package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.document.kind.BuiltInCatalog;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.release.Hazard;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A catalogue of etcd releases in a config repository.
class CatalogDocumentTest {
    private static final Catalog BUILT_IN = BuiltInCatalog.get();

    @TempDir
    Path repository;

    @BeforeEach
    void createsRepositoryWithRing() throws IOException {
        write("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.6.14"}
            """);
    }

    private void write(String file, String text) throws IOException {
        var path = repository.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void catalog(String file, String dated, String more) throws IOException {
        write(file, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec:
              dated: "%s"
              lines:
                - {line: "3.6", newest: "3.6.20", leaveFrom: "3.6.11"}
                - {line: "3.7", newest: "3.7.9"}
            %s""".formatted(dated, more.indent(2)));
    }

    private DesiredState load() {
        return SpecLoader.load(LocalTree.repository(repository));
    }

    private static Catalog of(DesiredState desired) {
        return desired.rings().firstEntry().getValue().catalog();
    }

    private static Stream<String> codes(DesiredState desired) {
        return desired.violations().stream().map(Violation::code);
    }

    @Test
    void laterCatalogReplacesBuiltInOne() throws IOException {
        catalog("catalog/etcd.yaml", "2099-01-01", "");

        var desired = load();

        assertThat(desired.violations()).isEmpty();
        assertThat(of(desired).lines()).extracting(Object::toString).containsExactly("3.6", "3.7");
    }

    @Test
    void newHazardNeedsNoNewProgram() throws IOException {
        catalog("catalog/etcd.yaml", "2099-01-01", """
            hazards:
              - id: loses-writes
                releases: [{from: "3.6.14", below: "3.6.15"}]
                forbids: [run]
                reason: etcd 3.6.14 loses writes
                remedy: Choose 3.6.15 or later.
            """);

        var desired = load();

        assertThat(desired.rings()).isEmpty();
        assertThat(desired.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.at().toString()).startsWith("clusters/orders.yaml:4:");
            assertThat(violation.message()).isEqualTo("`spec.version` is 3.6.14; etcd 3.6.14 loses writes.");
            assertThat(violation.hint()).contains("Choose 3.6.15 or later.");
        });
    }

    @Test
    void earlierCatalogDoesNotHold() throws IOException {
        catalog("catalog/etcd.yaml", "2020-01-01", "");

        var desired = load();

        assertThat(desired.violations()).isEmpty();
        assertThat(of(desired)).isEqualTo(BUILT_IN);
    }

    @Test
    void builtInCatalogHoldsBesideOneWithUnknownFields() throws IOException {
        catalog("catalog/etcd.yaml", "2099-01-01", "moonPhases: [full]\n");

        var desired = load();

        assertThat(codes(desired)).containsExactly("unknown-field");
        assertThat(of(desired)).isEqualTo(BUILT_IN);
    }

    @Test
    void builtInCatalogHoldsBesideOneOfLaterFormat() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v2
            kind: Catalog
            metadata: {name: etcd}
            spec: {releases: everything}
            """);

        var desired = load();

        assertThat(codes(desired)).containsExactly("unknown-api-version");
        assertThat(of(desired)).isEqualTo(BUILT_IN);
    }

    @Test
    void builtInCatalogHoldsBesideBrokenOne() throws IOException {
        write("catalog/etcd.yaml", "apiVersion: [etcdgitops.dev/v1alpha1\n\tkind: Catalog");

        var desired = load();

        assertThat(desired.violations()).isNotEmpty();
        assertThat(desired.violations()).allMatch(v -> v.at().file().equals("catalog/etcd.yaml"));
        assertThat(of(desired)).isEqualTo(BUILT_IN);
    }

    @Test
    void builtInCatalogHoldsBesideTwoOthers() throws IOException {
        catalog("catalog/a.yaml", "2099-01-01", "");
        catalog("catalog/b.yaml", "2098-01-01", "");

        var desired = load();

        assertThat(codes(desired)).containsExactly("duplicate-catalog", "duplicate-catalog");
        assertThat(of(desired)).isEqualTo(BUILT_IN);
    }

    @Test
    void saysWhatIsWrongWithDatesRangesAndLines() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec:
              dated: "2099-13-01"
              lines:
                - {line: "3.6", newest: "3.5.1"}
                - {line: "3.6", newest: "3.6.2"}
              hazards:
                - id: none
                  releases: [{from: "3.6.4", below: "3.6.4"}]
                  reason: nothing
                  remedy: None.
            """);

        assertThat(codes(load()))
                .containsExactlyInAnyOrder("bad-date", "not-of-this-line", "duplicate-line", "empty-range");
    }

    /// A member of a later line would not be understood, whatever a catalogue says.
    @Test
    void leavesOutLinesOfLaterPrograms() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec:
              dated: "2099-01-01"
              lines:
                - {line: "3.6", newest: "3.6.20"}
                - {line: "3.8", newest: "3.8.1"}
            """);

        assertThat(of(load()).knows(new EtcdVersion(3, 8, 1))).isFalse();
    }

    @Test
    void builtInCatalogHoldsBesideOneWithLaterLinesAlone() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec: {dated: "2099-01-01", lines: [{line: "3.8", newest: "3.8.1"}]}
            """);

        assertThat(of(load())).isEqualTo(BUILT_IN);
    }

    @Test
    void noTenantHasCatalogFolder() throws IOException {
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec:
              tenants:
                - name: shop
                  paths: [clusters/, catalog/]
                  namespaces: [demo]
            """);

        assertThat(load().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.code()).isEqualTo("bad-format");
            assertThat(violation.at().toString()).startsWith("etcd-gitops.yaml:7:");
        });
    }

    @Test
    void ownersReplaceCatalogBesideTenants() throws IOException {
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec:
              tenants:
                - name: shop
                  paths: [clusters/]
                  namespaces: [demo]
            """);
        catalog("catalog/etcd.yaml", "2099-01-01", "");

        var desired = load();

        assertThat(desired.violations()).isEmpty();
        assertThat(of(desired).dated()).hasYear(2099);
    }

    /// Whoever proposes a change does not choose what is known about releases.
    @Test
    void catalogComesFromJudge() throws IOException {
        catalog("catalog/etcd.yaml", "2099-01-01", "");
        var proposed = LocalTree.repository(repository);
        Files.delete(repository.resolve("catalog/etcd.yaml"));
        SourceTree judge = LocalTree.repository(repository);

        assertThat(of(SpecLoader.load(proposed, judge))).isEqualTo(BUILT_IN);
    }

    @Test
    void builtInCatalogMeetsItsSchemaAndChecks() {
        var document = BuiltInCatalog.document();

        assertThat(Assessed.of(document, Optional.empty()).violations()).isEmpty();
        assertThat(Schemas.of(DocumentKind.CATALOG)).isNotNull();
    }

    @Test
    void everyHazardAndAdvisoryIsAboutKnownLines() {
        assertThat(BUILT_IN.hazards()).extracting(Hazard::id).doesNotHaveDuplicates();
        assertThat(BUILT_IN.hazards()).allSatisfy(hazard -> {
            assertThat(hazard.forbids().isEmpty() && hazard.warns().isEmpty()).isFalse();
            assertThat(hazard.releases()).allMatch(r -> BUILT_IN.knows(r.from()) && BUILT_IN.knows(r.below()));
        });
        assertThat(BUILT_IN.advisories()).allSatisfy(advisory -> {
            assertThat(advisory.fixed()).isNotEmpty().allMatch(BUILT_IN::knows);
            assertThat(advisory.published()).isBeforeOrEqualTo(BUILT_IN.dated());
        });
        assertThat(BUILT_IN.lines()).allSatisfy(line -> {
            assertThat(BUILT_IN.ban(line.newest())).isEmpty();
            assertThat(line.leaveFrom().filter(least -> line.newest().compareTo(least) < 0))
                    .isEmpty();
        });
    }
}
