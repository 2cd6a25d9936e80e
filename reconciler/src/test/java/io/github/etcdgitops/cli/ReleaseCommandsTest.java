package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.fake.Releases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands `catalog check` and `advisories`.
class ReleaseCommandsTest {
    @TempDir
    Path repository;

    @BeforeEach
    void createsRepositoryWithTwoRings() throws IOException {
        ring("orders", "3.5.30", "{peer: mutual, client: mutual}");
        ring("carts", "3.5.30", "{peer: plain, client: plain}");
    }

    private void ring(String name, String version, String tls) throws IOException {
        write("clusters/" + name + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: demo}
            spec: {size: 3, version: "%s", tls: %s}
            """.formatted(name, version, tls));
    }

    private void write(String file, String text) throws IOException {
        var path = repository.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static Ran run(String... args) {
        return Ran.of(Map.of(), args);
    }

    @Test
    void showsBuiltInCatalog() {
        var ran = run("catalog", "check");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .startsWith("Catalogue of etcd releases of " + Releases.KNOWN.dated() + ", ")
                .contains("built in.", "3.5   3.5.33  3.5.26", "ended 2026-06-01", "Advisories: 7.");
    }

    @Test
    void showsCatalogOfRepository() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec:
              dated: "2099-01-01"
              lines: [{line: "3.5", newest: "3.5.40"}]
            """);
        var ran = run("catalog", "check", repository.toString());
        var json = new ObjectMapper()
                .readTree(run("catalog", "check", repository.toString(), "-o", "json")
                        .out());

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("which is in the future", "Correct `dated`", "catalog/etcd.yaml.", "3.5.40");
        assertThat(json.path("dated").asText()).isEqualTo("2099-01-01");
        assertThat(json.path("source").asText()).isEqualTo("catalog/etcd.yaml");
    }

    @Test
    void saysWhatIsWrongWithCatalogOfRepository() throws IOException {
        write("catalog/etcd.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec: {dated: "2099-01-01", lines: [{line: "3.5", newest: 7}]}
            """);
        var ran = run("catalog", "check", repository.toString());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("built in.", "catalog/etcd.yaml:4:", "newest");
    }

    @Test
    void listsAdvisoriesOfRingsThatTheyHit() throws IOException {
        var ran = run("advisories", repository.toString());
        var json = new ObjectMapper()
                .readTree(run("advisories", repository.toString(), "-o", "json").out());

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines()).hasSize(2);
        assertThat(ran.out()).contains("demo/orders", "GHSA-6vch-q96h-7gc3", "high", "3.5.33");
        assertThat(json.path("advisories")).hasSize(1);
        assertThat(json.path("advisories").path(0).path("goodVersion").asText()).isEqualTo("3.5.33");
    }

    @Test
    void saysWhenNoRingIsHit() throws IOException {
        ring("orders", "3.5.33", "{peer: mutual, client: mutual}");

        assertThat(run("advisories", repository.toString()).out()).isEqualTo("No known advisory hits a ring.\n");
    }
}
