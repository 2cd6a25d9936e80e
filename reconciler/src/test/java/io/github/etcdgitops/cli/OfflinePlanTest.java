package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a pull request comes to, for whoever has no credential: nothing but the repository is there.
class OfflinePlanTest {
    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsRepositoryWithRing() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        try (var _ = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            ring("orders", 3, "3.5.16");
        }
        commit("Orders");
    }

    private void ring(String name, int size, String version) throws IOException {
        write("clusters/" + name + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: demo}
            spec: {size: %d, version: "%s"}
            """.formatted(name, size, version));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    /// On a branch of its own after the first one.
    private void commit(String message) throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            git.add().addFilepattern(".").call();
            git.add().setUpdate(true).addFilepattern(".").call();
            git.commit()
                    .setMessage(message)
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
            if (git.getRepository().findRef("refs/heads/change") == null) {
                git.checkout().setCreateBranch(true).setName("change").call();
            }
        }
    }

    private Ran plan(String... more) {
        return plan(Map.of(), more);
    }

    private Ran plan(Map<String, String> settings, String... more) {
        var environment = new HashMap<>(settings);
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        var args = Stream.concat(Stream.of("plan", "--offline", "--repo", repository.toString()), Stream.of(more))
                .toArray(String[]::new);
        return Ran.of(environment, args);
    }

    @Test
    void printsChangeAndThatNoRingWasRead() throws IOException, GitAPIException {
        ring("orders", 5, "3.5.16");
        ring("carts", 3, "3.5.16");
        commit("Grow");

        var planned = plan("--base", "main", "--detailed-exitcode");

        assertThat(planned.code()).isEqualTo(2);
        assertThat(planned.out())
                .contains("no ring was observed", "as in main (")
                .contains("add orders-3: 3 → 4 members", "add orders-4: 4 → 5 members", "demo/carts")
                .contains("BootstrapCluster");
    }

    @Test
    void refusesAPlaceThatTheSettingsDoNotAllow() throws IOException, GitAPIException {
        write("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec: {destination: {directory: {path: /etc}}}
            """);
        commit("Keep backups elsewhere");

        var planned = plan(Map.of("ETCD_GITOPS_PLACES", "file:///backups/"), "--base", "main");

        assertThat(planned.code()).isEqualTo(10);
        assertThat(planned.out()).contains("policies/nightly.yaml:1:1: error [place-not-allowed]");
    }

    @Test
    void unchangedRingIsInSync() {
        var planned = plan("--base", "main", "--detailed-exitcode");

        assertThat(planned.code()).isZero();
        assertThat(planned.out()).contains("1 in sync");
    }

    @Test
    void treatsFormerlyInvalidRingAsUnknown() throws IOException, GitAPIException {
        write(
                "clusters/orders.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: orders, "
                        + "namespace: demo}\nspec: {size: 3, version: nine}\n");
        commit("Break");
        String broken = head();
        ring("orders", 3, "3.5.16");
        commit("Mend");

        var planned = plan("--base", broken);

        assertThat(planned.out())
                .contains("1 unknown", "its document was already invalid then")
                .doesNotContain("Bootstrap");
    }

    @Test
    void formerlyUnreadableFileMakesNewRingUnknown() throws IOException, GitAPIException {
        write("clusters/torn.yaml", "kind: [");
        commit("Tear");
        String torn = head();
        Files.delete(repository.resolve("clusters/torn.yaml"));
        ring("carts", 3, "3.5.16");
        commit("Mend");

        var planned = plan("--base", torn);

        assertThat(planned.out()).contains("1 unknown", "clusters/torn.yaml").doesNotContain("Bootstrap");
    }

    private String head() throws IOException {
        try (var git = Git.open(repository.toFile())) {
            return git.getRepository().resolve("HEAD").name();
        }
    }

    @Test
    void policiesOfTheBaseJudge() throws IOException, GitAPIException {
        write("policies/strict.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: strict}
            spec: {rules: {version-allowlist: {allowed: ["3.5.16"]}}}
            """);
        commit("Strict");
        String strict = head();
        Files.delete(repository.resolve("policies/strict.yaml"));
        ring("orders", 3, "3.5.21");
        commit("Without the policy");

        assertThat(plan("--base", strict).code()).isZero();
        var judged = plan("--base", strict, "--base-policies");
        assertThat(judged.code()).isEqualTo(11);
        assertThat(judged.out()).contains("version-allowlist", "(policy strict)");
    }

    @Test
    void authorCannotApproveOwnChangeOffline() throws IOException, GitAPIException {
        ring("orders", 1, "3.5.16");
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec: {approvals: {from: medium}}
            """);
        commit("Shrink");
        var id = Pattern.compile("approve --operation ([0-9a-f]{16})")
                .matcher(plan("--base", "main").out());
        assertThat(id.find()).isTrue();
        write("approvals/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: orders}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["%s"]
              approvedBy: somebody-else@example.org
              reason: why not
              expires: "2999-01-01T00:00:00Z"
            """.formatted(id.group(1)));
        commit("Approve");

        assertThat(plan("--base", "main").out())
                .contains("the approval orders does not count, as a@b wrote the change");
    }

    @Test
    void cannotBeSavedNorPlannedWithoutABase() {
        assertThat(plan().err()).contains("--offline needs --base");
        var saved = plan("--base", "main", "--out", folder.resolve("plan.json").toString());
        assertThat(saved.code()).isEqualTo(64);
        assertThat(saved.err()).contains("--out cannot be combined with");
    }

    @Test
    void leavesOutWhatOnlyRealRingsHave() throws IOException, GitAPIException {
        ring("orders", 5, "3.5.16");
        commit("Grow");

        var json = plan("--base", "main", "-o", "json").out();

        assertThat(json).contains("\"code\" : \"offline\"").doesNotContain("at-rest", "statefulSet/uid");
    }

    @Test
    void printsSameBytesTwiceAndNothingUnobserved() throws IOException, GitAPIException {
        secured("Secret", 3);
        secured("BuiltIn", 3);
        write("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              destination: {directory: {path: /backups}}
              every: 24h
            """);
        commit("Secured");
        String base = head();
        secured("Secret", 5);
        secured("BuiltIn", 5);
        commit("Grow");

        for (String format : List.of("json", "markdown", "human")) {
            var first = plan("--base", base, "-o", format).out();
            var second = plan("--base", base, "-o", format).out();

            assertThat(second).isEqualTo(first).contains("demo/secret-", "add ");
            assertThat(first).doesNotContain("certificates-end", "certificates ends");
        }
    }

    @Test
    void pageHasNoColumnForUnreadParts() throws IOException, GitAPIException {
        secured("Secret", 3);
        commit("Secured");
        String base = head();
        secured("Secret", 5);
        commit("Grow");

        var page = plan("--base", base, "-o", "html").out();

        assertThat(page)
                .contains("<th scope=\"col\">Next</th>")
                .doesNotContain("<th scope=\"col\">Leader</th>", "<th scope=\"col\">Version</th>")
                .doesNotContain("<th scope=\"col\">Certificates</th>", "<td class=\"time\">none</td>");
    }

    private void secured(String issuer, int size) throws IOException {
        String name = issuer.toLowerCase(Locale.ROOT) + "-signed";
        write("clusters/" + name + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: demo}
            spec:
              size: %d
              version: "3.5.16"
              tls: {peer: mutual, client: mutual, issuer: {kind: %s}}
              backup: {policy: nightly}
            """.formatted(name, size, issuer));
    }
}
