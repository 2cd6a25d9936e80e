package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Fate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionsCommandTest {
    private static final String TLS = "tls: {peer: mutual, client: mutual}";

    @TempDir
    Path folder;

    private final FakeForge fake = new FakeForge(Forge.Kind.GITHUB);
    private Path repository;

    @BeforeEach
    void createsRepositoryWithRings() throws IOException, GitAPIException {
        repository = folder.resolve("config");
        try (var _ = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            ring("orders", "version: \"3.5.30\" # asked for by the shop", TLS);
            ring("carts", "version: \"3.5.30\"", "tls: {peer: plain, client: plain}");
        }
        commit();
    }

    @AfterEach
    void closesForge() {
        fake.close();
    }

    private void ring(String name, String version, String more) throws IOException {
        var file = repository.resolve("clusters/" + name + ".yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: demo}
            spec:
              size: 3
              %s
              %s
            """.formatted(Path.of(name).getFileName(), version, more));
    }

    private void commit() throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("Rings")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private Ran propose(String... more) {
        var args = new ArrayList<>(List.of("versions", "propose", "--repo", repository.toString()));
        args.addAll(List.of(more));
        var environment = Map.of(
                "ETCD_GITOPS_FORGE_TOKEN",
                FakeForge.TOKEN,
                "XDG_CACHE_HOME",
                folder.resolve("cache").toString());
        return Ran.of(environment, args.toArray(String[]::new));
    }

    private Ran pullRequest() {
        return propose(
                "--pr",
                "--ref",
                "main",
                "--forge",
                "github",
                "--repository",
                "acme/rings",
                "--api-url",
                fake.api().toString());
    }

    private List<String> proposals() throws IOException {
        try (var git = Git.open(repository.toFile())) {
            return git.getRepository().getRefDatabase().getRefsByPrefix("refs/heads/etcd-gitops/").stream()
                    .map(ref -> ref.getName().substring("refs/heads/".length()))
                    .toList();
        }
    }

    private String file(String branch, String path) throws IOException {
        try (var git = Git.open(repository.toFile())) {
            Repository store = git.getRepository();
            try (var walk = TreeWalk.forPath(
                    store, path, store.parseCommit(store.resolve(branch)).getTree())) {
                return new String(store.open(walk.getObjectId(0)).getBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void showsAndChangesNothing() throws IOException {
        var ran = propose();
        var json = new ObjectMapper().readTree(propose("-o", "json").out());

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines()).hasSize(2);
        assertThat(ran.out()).contains("demo/orders", "3.5.30", "3.5.33", "GHSA-6vch-q96h-7gc3");
        assertThat(json.path("rings")).hasSize(1);
        assertThat(json.path("rings").path(0).path("goodVersion").asText()).isEqualTo("3.5.33");
        assertThat(proposals()).isEmpty();
    }

    @Test
    void commitsOnBranchOfItsOwn() throws IOException {
        String before = file("main", "clusters/orders.yaml");

        var ran = propose("--commit");

        assertThat(ran.code()).isZero();
        assertThat(proposals()).hasSize(1);
        String branch = proposals().getFirst();
        assertThat(ran.out()).contains("The branch " + branch + " has these versions, as commit ");
        assertThat(file(branch, "clusters/orders.yaml"))
                .isEqualTo(before.replace("3.5.30\" # asked", "3.5.33\" # asked"));
        assertThat(file(branch, "clusters/carts.yaml")).isEqualTo(file("main", "clusters/carts.yaml"));
        assertThat(file("main", "clusters/orders.yaml")).isEqualTo(before);
        try (var git = Git.open(repository.toFile())) {
            var commit = git.getRepository().parseCommit(git.getRepository().resolve(branch));
            assertThat(commit.getParents())
                    .extracting(RevCommit::name)
                    .containsExactly(git.getRepository().resolve("main").name());
            assertThat(commit.getFullMessage())
                    .startsWith("Raise etcd to 3.5.33 because of security advisories\n\n"
                            + "demo/orders: 3.5.30 → 3.5.33, ends GHSA-6vch-q96h-7gc3\n");
        }
        assertThat(propose("--commit").out()).contains("The branch " + branch + " has these versions already.");
    }

    @Test
    void opensOnePullRequest() throws IOException {
        var first = pullRequest();
        var second = pullRequest();

        assertThat(first.code()).isZero();
        assertThat(first.out()).contains("Pull request 1 (https://forge.example/1) was opened.");
        assertThat(second.out()).contains("Pull request 1 (https://forge.example/1) is open already.");
        assertThat(fake.proposed().all()).singleElement().satisfies(pull -> {
            assertThat(List.of(pull.branch())).isEqualTo(proposals());
            assertThat(pull.base()).isEqualTo("main");
            assertThat(pull.title()).isEqualTo("Raise etcd to 3.5.33 because of security advisories");
            assertThat(pull.body()).contains("| demo/orders | 3.5.30 → 3.5.33 | GHSA-6vch-q96h-7gc3 |");
        });
    }

    @Test
    void takesClosedPullRequestForAnAnswer() throws IOException, GitAPIException {
        pullRequest();
        fake.proposed().answer(Fate.CLOSED);
        try (var git = Git.open(repository.toFile())) {
            git.branchDelete()
                    .setBranchNames(proposals().getFirst())
                    .setForce(true)
                    .call();
        }

        var ran = pullRequest();

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Pull request 1", "proposed the same and was closed. Nothing was changed.");
        assertThat(proposals()).isEmpty();
        assertThat(fake.proposed().all()).hasSize(1);
    }

    @Test
    void namesRingsThatNoReleaseHelps() throws IOException, GitAPIException {
        ring("old", "version: \"3.4.45\"", TLS);
        ring("pinned", "version: \"3.5.30\"", "image: {digest: \"sha256:" + "0".repeat(64) + "\"}\n  " + TLS);
        ring("folded", "version: >-\n    3.5.30", TLS);
        commit();

        var ran = propose("--commit");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains(
                        "etcd 3.4 has no release that ends them",
                        "/spec/image/digest pins 3.5.30",
                        "write /spec/version in clusters/folded.yaml on one line");
        String branch = proposals().getFirst();
        for (String file : List.of("clusters/old.yaml", "clusters/pinned.yaml", "clusters/folded.yaml")) {
            assertThat(file(branch, file)).isEqualTo(file("main", file));
        }
    }

    @Test
    void proposesOnlyRingsOfNamedEnvironment() throws IOException, GitAPIException {
        Files.writeString(repository.resolve("etcd-gitops.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec: {environments: [{name: prod, paths: [clusters/prod/]}, {name: lab, paths: [clusters/]}]}
            """);
        ring("prod/billing", "version: \"3.6.11\"", TLS);
        commit();

        assertThat(propose("--environment", "prod").out())
                .contains("demo/billing")
                .doesNotContain("demo/orders");
        assertThat(propose("--environment", "lab").out())
                .contains("demo/orders")
                .doesNotContain("demo/billing");
        assertThat(propose().out()).contains("demo/orders", "demo/billing");
    }

    @Test
    void oneWrongDocumentDoesNotStopTheOthers() throws IOException, GitAPIException {
        ring("broken", "version: 7", TLS);
        commit();

        var ran = propose("--commit");

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("clusters/broken.yaml:");
        assertThat(file(proposals().getFirst(), "clusters/orders.yaml")).contains("3.5.33");
    }

    @Test
    void pullRequestNeedsNamedBranch() {
        var ran = propose("--pr", "--forge", "github", "--repository", "acme/rings");

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.err()).contains("--ref main");
    }
}
