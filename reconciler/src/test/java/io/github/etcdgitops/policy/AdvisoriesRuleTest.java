package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rule `advisories` on documents of rings.
class AdvisoriesRuleTest {
    @TempDir
    Path repository;

    private List<String> said(String rule, String version, String client, String now) throws IOException {
        Files.createDirectories(repository.resolve("policies"));
        Files.createDirectories(repository.resolve("clusters"));
        Files.writeString(repository.resolve("policies/advisories.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: fixed}
            spec: {rules: {advisories: %s}}
            """.formatted(rule));
        Files.writeString(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "%s", tls: {client: %s}}
            """.formatted(version, client));
        var desired = SpecLoader.load(LocalTree.repository(repository));
        assertThat(desired.violations()).isEmpty();
        return PolicyEngine.of(desired).admit(desired.rings().firstEntry().getValue(), Instant.parse(now)).stream()
                .map(finding -> finding.level() + " " + finding.code() + " " + finding.message())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "'{}',                       3.5.30, mutual, 2026-08-01T00:00:00Z, WARNING",
        "'{effect: deny}',           3.5.30, mutual, 2026-08-01T00:00:00Z, ERROR",
        "'{effect: hold}',           3.7.0,  mixed,  2026-08-01T00:00:00Z, ERROR",
        "'{}',                       3.5.33, mutual, 2026-08-01T00:00:00Z, ''",
        "'{}',                       3.5.30, plain,  2026-08-01T00:00:00Z, ''",
        "'{severity: critical}',     3.5.30, mutual, 2026-08-01T00:00:00Z, ''",
        "'{severity: high}',         3.5.30, mutual, 2026-08-01T00:00:00Z, WARNING",
        "'{grace: 10d}',             3.5.30, mutual, 2026-08-01T23:59:59Z, ''",
        "'{grace: 10d}',             3.5.30, mutual, 2026-08-02T00:00:00Z, WARNING"
    })
    void countsAdvisoriesOfEnoughSeverityAfterTheGrace(
            String rule, String version, String client, String now, String level) throws IOException {
        var said = said(rule, version, client, now);

        assertThat(said).hasSize(level.isEmpty() ? 0 : 1);
        assertThat(said)
                .allSatisfy(text -> assertThat(text)
                        .startsWith(level + " advisories etcd " + version + " has GHSA-6vch-q96h-7gc3 (high, published")
                        .contains("; set /spec/version to 3."));
    }
}
