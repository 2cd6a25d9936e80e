package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeaturesCommandTest {
    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsRepositoryWithFeatureGate() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        Files.createDirectories(repository.resolve("clusters"));
        Files.writeString(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: 3
              version: "3.5.16"
            """);
        fleet("    PeerTls: true\n");
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("PeerTls for all")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private void fleet(String features) throws IOException {
        Files.writeString(repository.resolve("etcd-gitops.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec:
              features:
            """ + features);
    }

    private Ran run(String... args) {
        return Ran.of(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), args);
    }

    @Test
    void listsEveryGate() throws IOException {
        var ran = run("features");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines()).hasSize(1 + FeatureGate.values().length);
        assertThat(ran.out()).contains("GATE", "PeerTls", "no", "3.5.14");
        var json = new ObjectMapper().readTree(run("features", "-o", "json").out());
        assertThat(json.path("kind").asText()).isEqualTo("FeatureGates");
        assertThat(json.path("gates").findValuesAsText("gate"))
                .containsExactlyElementsOf(Arrays.stream(FeatureGate.values())
                        .map(FeatureGate::title)
                        .toList());
    }

    @Test
    void showsProvenanceOfEachGateValue() throws IOException {
        var ran = run("features", repository.toString());

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .containsPattern("demo/orders +PeerTls +true, from etcd-gitops.yaml:6 \\(fleet\\)")
                .containsPattern("demo/orders +CompactHashCheck +false, by default");
        var json = new ObjectMapper()
                .readTree(run("features", repository.toString(), "-o", "json").out());
        assertThat(json.at("/rings/0/gates/1/file").asText()).isEqualTo("etcd-gitops.yaml");
        assertThat(json.at("/rings/0/gates/1/line").asInt()).isEqualTo(6);
    }

    @Test
    void reportsViolationAndExitsInvalid() throws IOException {
        fleet("    PeerTLS: true\n");

        var ran = run("features", repository.toString());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("etcd-gitops.yaml:6:5", "unknown-field", "Did you mean `PeerTls`?");
    }

    @Test
    void refusesToTurnOffRatchetWhenComparedWithBase() throws IOException {
        fleet("    PeerTls: false\n");

        var alone = run("validate", repository.toString());
        var compared = run("validate", repository.toString(), "--base", "main");

        assertThat(alone.code()).as(alone.out() + alone.err()).isZero();
        assertThat(compared.code()).as(compared.out() + compared.err()).isEqualTo(10);
        assertThat(compared.out())
                .containsPattern("etcd-gitops.yaml:6:14: error \\[feature-turned-off\\] /spec/features/PeerTls:"
                        + " PeerTls cannot be turned off again; it was turned on at etcd-gitops.yaml:6"
                        + " \\(revision [0-9a-f]{7}\\), for demo/orders\\.");
    }

    @Test
    void passesUnchangedRepository() {
        assertThat(run("validate", repository.toString(), "--base", "main").code())
                .isZero();
        assertThat(run("validate", repository.toString(), "--base", "HEAD").code())
                .isZero();
    }

    @Test
    void reportsMissingBaseOrRepository() {
        var unknown = run("validate", repository.toString(), "--base", "nowhere");
        var file = run("validate", repository.resolve("etcd-gitops.yaml").toString(), "--base", "main");
        var none = run("validate", repository.resolve("clusters").toString(), "--base", "main");

        assertThat(unknown.code()).isEqualTo(78);
        assertThat(unknown.err()).contains("has no branch and no tag 'nowhere'").doesNotContain("\tat ");
        assertThat(file.code()).isEqualTo(64);
        assertThat(file.err()).contains("--base needs the folder of a repository, and files were given");
        assertThat(none.code()).isEqualTo(78);
        assertThat(none.err()).doesNotContain("\tat ");
    }
}
