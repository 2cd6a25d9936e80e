package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever opens a pull request does not say by which rules it is judged.
class BasePoliciesTest {
    private static final String STRICT = """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: strict}
            spec: {rules: {odd-members: {}}}
            """;

    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsRepositoryWithPolicy() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        ring(3);
        write("policies/strict.yaml", STRICT);
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("Rings are odd")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
        ring(4);
    }

    private void ring(int size) throws IOException {
        write("clusters/orders.yaml", """
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

    private Ran validate(String... more) {
        var args = new String[more.length + 2];
        args[0] = "validate";
        args[1] = repository.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        return Ran.of(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), args);
    }

    @Test
    void appliesBasePolicyDeletedByPullRequest() throws IOException {
        Files.delete(repository.resolve("policies/strict.yaml"));

        assertThat(validate("--base", "main").code()).isZero();
        var judged = validate("--base", "main", "--base-policies");
        assertThat(judged.code()).isEqualTo(11);
        assertThat(judged.out()).contains("demo/orders: error [odd-members]", "(policy strict)");
    }

    @Test
    void ignoresExemptionAddedByPullRequest() throws IOException {
        write("policies/mine.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: PolicyExemption
                metadata: {name: mine}
                spec:
                  rules: [odd-members]
                  rings: [{namespace: demo, name: orders}]
                  owner: me
                  reason: because
                  ticket: none
                  created: "2998-12-01T00:00:00Z"
                  expires: "2999-01-01T00:00:00Z"
                """);

        String then = "2998-12-15T00:00:00Z";
        assertThat(validate("--base", "main", "--now", then).code()).isZero();
        assertThat(validate("--base", "main", "--base-policies", "--now", then).code())
                .isEqualTo(11);
    }

    @Test
    void itsOwnPoliciesAreStillChecked() throws IOException {
        ring(3);
        write("policies/strict.yaml", STRICT.replace("odd-members", "odd-membres"));

        var judged = validate("--base", "main", "--base-policies");

        assertThat(judged.code()).isEqualTo(10);
        assertThat(judged.out()).contains("policies/strict.yaml:4:16: error [unknown-field]", "odd-members");
    }

    @Test
    void withoutABaseThereIsNothingToJudgeBy() {
        var ran = validate("--base-policies");

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.err()).contains("--base-policies needs --base");
    }
}
