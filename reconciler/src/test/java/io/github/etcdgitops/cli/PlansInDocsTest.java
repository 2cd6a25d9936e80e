package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plans in docs/first-plan.md and in README.md are what the command prints.
class PlansInDocsTest {
    private static final String PAGE = "../docs/first-plan.md";
    private static final String FENCE = "```\n";
    private static final String LEFT_OUT = "…";

    private static final String THREE = "{size: 3, version: \"3.5.16\", storage: {size: 1Gi}}";
    private static final String FLEET = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: Fleet
        metadata: {name: fleet}
        spec: {approvals: {from: medium}}
        """;

    @TempDir
    Path folder;

    /// One commit: what the ring's spec was and is, empty where its document is deleted, with another ring beside it.
    private record Change(String before, String after, Optional<String> fleet) {
        Change(String before, String after) {
            this(before, after, Optional.empty());
        }
    }

    private static final List<Change> CHANGES = List.of(
            new Change(THREE, "{size: 5, version: \"3.6.4\", storage: {size: 1Gi}}"),
            new Change(THREE, "{size: 3, version: \"3.4.23\", storage: {size: 1Gi}}"),
            new Change(
                    "{size: 3, version: \"3.5.16\", storage: {size: 1Gi, storageClassName: standard}}",
                    "{size: 3, version: \"3.5.16\", storage: {size: 512Mi, storageClassName: fast}}"),
            new Change(THREE, "{size: 1, version: \"3.5.16\", storage: {size: 1Gi}}", Optional.of(FLEET)),
            new Change(THREE, ""));

    @Test
    void plansInDocsMatchCommandOutput() throws IOException, GitAPIException {
        var plans = plans(Files.readString(Path.of(PAGE)));
        assertThat(plans).hasSameSizeAs(CHANGES);
        for (int i = 0; i < plans.size(); i++) {
            var printed = printed(CHANGES.get(i), folder.resolve("config-" + i))
                    .lines()
                    .toList();
            assertThat(printed).as("plan %s of %s", i + 1, PAGE).containsSubsequence(shown(plans.get(i)));
        }
    }

    @Test
    void readmeShowsWhatTheCommandPrintsForTheExampleRepository() throws IOException, GitAPIException {
        var repository = folder.resolve("example");
        var ring = repository.resolve("clusters/demo/orders.yaml");
        Files.createDirectories(ring.getParent());
        for (String file : List.of("etcd-gitops.yaml", "clusters/demo/orders.yaml")) {
            Files.copy(Path.of("../example-repo", file), repository.resolve(file));
        }
        try (var git = init(repository)) {
            commit(git);
            Files.writeString(ring, Files.readString(ring).replace("size: 3\n", "size: 5\n"));
            commit(git);
        }

        var printed = printed(repository);

        String section = Files.readString(Path.of("../README.md")).split("## A plan\n")[1];
        assertThat(printed.lines().toList()).containsSubsequence(shown(section.split(FENCE)[1]));
    }

    private static List<String> shown(String plan) {
        return plan.lines().filter(line -> !line.strip().equals(LEFT_OUT)).toList();
    }

    private static List<String> plans(String page) {
        var plans = new ArrayList<String>();
        String section = page.substring(page.indexOf("## Five plans\n"), page.indexOf("## Saving a plan"));
        for (int at = section.indexOf(FENCE); at >= 0; at = section.indexOf(FENCE, at)) {
            int end = section.indexOf(FENCE, at + FENCE.length());
            plans.add(section.substring(at + FENCE.length(), end));
            at = end + FENCE.length();
        }
        return plans;
    }

    private String printed(Change change, Path repository) throws IOException, GitAPIException {
        Files.createDirectories(repository.resolve("clusters"));
        try (var git = init(repository)) {
            ring(repository, "cart", change.before());
            if (change.fleet().isPresent()) {
                Files.writeString(
                        repository.resolve("etcd-gitops.yaml"), change.fleet().get());
            }
            if (change.after().isEmpty()) {
                ring(repository, "carts", THREE);
            }
            commit(git);
            if (change.after().isEmpty()) {
                git.rm().addFilepattern("clusters/cart.yaml").call();
            } else {
                ring(repository, "cart", change.after());
            }
            commit(git);
        }
        return printed(repository);
    }

    private static Git init(Path repository) throws GitAPIException {
        return Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call();
    }

    private String printed(Path repository) {
        var environment = Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return Ran.of(environment, "plan", "--offline", "--repo", repository.toString(), "--base", "main~1")
                .out();
    }

    private static void ring(Path repository, String name, String spec) throws IOException {
        Files.writeString(repository.resolve("clusters/" + name + ".yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: shop}
            spec: %s
            """.formatted(name, spec));
    }

    private static void commit(Git git) throws GitAPIException {
        git.add().addFilepattern(".").call();
        git.commit().setMessage("x").setAuthor("a", "a@b").setSign(false).call();
    }
}
