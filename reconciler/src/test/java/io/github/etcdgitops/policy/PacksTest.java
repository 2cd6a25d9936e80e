package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.ring.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The policies that ship, in a repository.
class PacksTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    @TempDir
    Path repository;

    private List<String> codes(String tier) throws IOException {
        for (String pack : List.of("baseline", "production", "development")) {
            var to = repository.resolve("policies/" + pack + ".yaml");
            Files.createDirectories(to.getParent());
            Files.copy(Path.of("..", "policies", pack + ".yaml"), to);
        }
        Files.createDirectories(repository.resolve("clusters"));
        Files.writeString(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo, labels: {tier: %s}}
            spec: {size: 4, version: "3.5.9", suspend: {reason: x, by: kim}}
            """.formatted(tier));
        var desired = SpecLoader.load(LocalTree.repository(repository));
        assertThat(desired.violations()).isEmpty();
        assertThat(desired.decisions().rules().policies()).hasSize(3);
        return PolicyEngine.of(desired).admit(desired.rings().firstEntry().getValue(), NOW).stream()
                .map(finding -> finding.level() + " " + finding.code())
                .sorted()
                .toList();
    }

    @Test
    void productionIsStrict() throws IOException {
        assertThat(codes("production"))
                .containsExactly(
                        "ERROR odd-members",
                        "ERROR odd-members",
                        "ERROR require-backup",
                        "ERROR require-tls",
                        "ERROR suspend-hygiene",
                        "ERROR version-allowlist",
                        "WARNING auth-required",
                        "WARNING suspend-hygiene");
    }

    @Test
    void developmentIsTold() throws IOException {
        assertThat(codes("development"))
                .containsExactly(
                        "ERROR odd-members",
                        Finding.Level.NOTE + " require-backup",
                        Finding.Level.NOTE + " require-tls",
                        "WARNING odd-members",
                        "WARNING suspend-hygiene",
                        "WARNING suspend-hygiene");
    }
}
