package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that ask the store alone, on a repository in a folder and a directory that keeps backups.
class BackupCommandsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException, GitAPIException {
        Files.createDirectories(folder.resolve("backups"));
        policies("nightly");
    }

    private void policies(String... names) throws IOException, GitAPIException {
        var below = Files.createDirectories(folder.resolve("config/policies"));
        Files.writeString(below.resolve("README.md"), "Policies");
        for (String name : names) {
            Files.writeString(below.resolve(name + ".yaml"), """
                    apiVersion: etcdgitops.dev/v1alpha1
                    kind: BackupPolicy
                    metadata: {name: %s}
                    spec:
                      destination: {directory: {path: %s, prefix: %1$s}}
                    """.formatted(name, folder.resolve("backups")));
        }
        try (var git = Git.init()
                .setDirectory(folder.resolve("config").toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("Policies")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private Ran backup(String... args) {
        var line = new ArrayList<>(List.of("backup"));
        line.addAll(List.of(args));
        line.addAll(List.of("--repo", folder.resolve("config").toString()));
        line.addAll(List.of("--cache-dir", folder.resolve("cache").toString()));
        return Ran.of(Map.of(), line.toArray(String[]::new));
    }

    @Test
    void aPlaceWithoutBackupsIsListedAsSuch() {
        assertThat(backup("list")).isEqualTo(new Ran(0, "no backups\n", ""));
        assertThat(backup("list", "demo/orders").out()).isEqualTo("no backups\n");
        assertThat(backup("list", "-o", "json").out()).matches("(?s).*\"backups\"\\s*:\\s*\\[\\s*\\].*");
    }

    @Test
    void whereNothingIsKeptNothingIsVerified() {
        var ran = backup("verify", "demo/orders");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("keeps no verified backup of demo/orders of environment default");
    }

    @Test
    void retentionOfARingThatIsNotSelectedIsNotCarriedOut() {
        var ran = backup("prune", "demo/orders", "--dry-run");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("the retention of policy nightly does not hold for demo/orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "verify", "prune"})
    void aRingIsNeeded(String command) {
        var without = backup(command);
        var wrong = backup(command, "orders");

        assertThat(List.of(without.code(), wrong.code())).containsOnly(64);
        assertThat(without.err()).contains("NAMESPACE/NAME");
        assertThat(wrong.err()).contains("'orders' is no ring; expected NAMESPACE/NAME");
    }

    @Test
    void ofSeveralPoliciesOneIsNamed() throws Exception {
        policies("nightly", "weekly");

        assertThat(Stream.of(backup("list"), backup("verify", "demo/orders"), backup("prune", "demo/orders")))
                .allSatisfy(ran ->
                        assertThat(ran.err()).contains("name a policy with --policy; there are nightly, weekly"));
        assertThat(backup("list", "--policy", "weekly").code()).isZero();
        assertThat(backup("list", "--policy", "hourly").err()).contains("there is no BackupPolicy hourly");
    }
}
