package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pull request that asks for an operation and does away with its approval: judged by the rules of its base.
class RelaxedRulesTest {
    private static final String FLEET = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: Fleet
        metadata: {name: fleet}
        spec:
          approvals: {from: medium}
        """;

    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsFleetThatRequiresApprovals() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        try (var _ = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            write("etcd-gitops.yaml", FLEET);
            ring(3);
        }
        commit("owner");
        try (var git = Git.open(repository.toFile())) {
            git.checkout().setCreateBranch(true).setName("change").call();
        }
    }

    private void ring(int size) throws IOException {
        write("clusters/team-a/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: %d, version: "3.5.16"}
            """.formatted(size));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    private void commit(String author) throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            git.add().addFilepattern(".").call();
            git.add().setUpdate(true).addFilepattern(".").call();
            git.commit()
                    .setMessage("Change")
                    .setAuthor(author, author + "@example.org")
                    .setSign(false)
                    .call();
        }
    }

    private Ran run(String... args) {
        return Ran.of(
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
                Stream.concat(Stream.of(args), Stream.of("--repo", repository.toString()))
                        .toArray(String[]::new));
    }

    private String plan(String format, String... more) {
        var planned = run(Stream.concat(Stream.of("plan", "--offline", "--base", "main", "-o", format), Stream.of(more))
                .toArray(String[]::new));
        assertThat(planned.err()).isEmpty();
        return planned.out();
    }

    private String approval() {
        var change = Pattern.compile("approve --rules ([0-9a-f]{16})").matcher(plan("human"));
        assertThat(change.find()).isTrue();
        var printed =
                run("approve", "--rules", change.group(1), "--by", "kim@example.org", "--reason", "a team of one");
        assertThat(printed.err()).isEmpty();
        return printed.out();
    }

    @Test
    void namesRelaxationAndApproveCommandAndHoldsWaitingChanges() throws IOException, GitAPIException {
        Files.delete(repository.resolve("etcd-gitops.yaml"));
        ring(1);
        commit("mallory");

        assertThat(plan("human")).contains("held by approval");
        for (String format : List.of("human", "json", "markdown", "html")) {
            assertThat(plan(format))
                    .contains("spec.approvals.from", "was medium, is destructive", "etcd-gitops approve --rules ");
        }
        assertThat(plan("json")).contains("\"code\" : \"approval-rules-relaxed\"", "\"level\" : \"warning\"");
    }

    @Test
    void policiesOfTheBaseDoNotHideThatTheChangeHasOthers() throws IOException, GitAPIException {
        write("etcd-gitops.yaml", FLEET.replace("medium", "destructive"));
        commit("mallory");

        assertThat(plan("human", "--base-policies"))
                .contains("spec.approvals.from (etcd-gitops.yaml:5:21) was medium, is destructive");
    }

    @Test
    void printedApprovalCountsWhenAnotherPersonCommitsIt() throws IOException, GitAPIException {
        write("etcd-gitops.yaml", FLEET.replace("medium", "destructive"));
        ring(1);
        commit("mallory");
        write("approvals/rules.yaml", approval());
        commit("mallory");
        assertThat(plan("human")).contains("(rules-", " does not count)", "held by approval");

        write("approvals/lee.yaml", approval().replace("kim", "lee"));
        commit("lee");

        assertThat(plan("human"))
                .contains("the new rules hold: approved by lee@example.org")
                .doesNotContain("held by approval");
    }

    @Test
    void letsOwnersButNoTenantApproveRelaxation() throws IOException, GitAPIException {
        write("etcd-gitops.yaml", FLEET.replace("medium", "destructive"));
        commit("mallory");
        String approval = approval();
        write("etcd-gitops.yaml", FLEET + """
              tenants: [{name: team-a, paths: [clusters/team-a/, approvals/team-a/], namespaces: [demo]}]
            """.indent(0));
        write("approvals/rules.yaml", approval);
        write("approvals/team-a/rules.yaml", approval);
        commit("owner");

        var validated = Ran.of("validate", repository.toString());

        assertThat(validated.out())
                .contains("approvals/team-a/rules.yaml:7:10: error [outside-tenant] /spec/rules", "1 violation");
    }

    @Test
    void requiresApprovalOfEitherRulesOrOperations() throws IOException, GitAPIException {
        write("approvals/both.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: both}
            spec:
              rules: "0a1b2c3d4e5f6a7b"
              operations: ["0a1b2c3d4e5f6a7b"]
              approvedBy: kim
              expires: "2999-01-01T00:00:00Z"
            """);
        write("approvals/neither.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: neither}
            spec: {approvedBy: kim, expires: "2999-01-01T00:00:00Z"}
            """);
        commit("mallory");

        assertThat(Ran.of("validate", repository.toString()).out())
                .contains(
                        "approvals/both.yaml:6:3: error [not-both] /spec/operations",
                        "`spec.cluster` is missing; expected the ring that it is for.",
                        "`spec.operations` is missing; expected a list of operation ids.");
        var approve = run("approve", "--rules", "all", "--by", "kim", "--reason", "x");
        assertThat(approve.code()).isEqualTo(78);
        assertThat(approve.err()).contains("16 hexadecimal digits, not 'all'");
    }
}
