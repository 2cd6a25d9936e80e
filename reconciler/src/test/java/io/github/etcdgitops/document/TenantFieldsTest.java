package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a Fleet says of its tenants.
class TenantFieldsTest {
    private static final String TWO = """
          tenants:
            - name: team-a
              paths: [clusters/team-a/, approvals/team-a/]
              namespaces: [team-a, "team-a-*"]
              serviceAccount: etcd-team-a
              images: {repositories: [registry.example/etcd]}
              nodes: {selector: {pool: a}, tolerations: [dedicated]}
              issuers: [{kind: ClusterIssuer, name: corporate}]
              backups: {destinations: ["s3://backups/team-a/"], restoreFrom: [team-b]}
            - name: team-b
              paths: [clusters/team-b/, clusters/team-a/shared/]
              namespaces: [team-b]
        """;

    @Test
    void readsTenantsOfAFleet() {
        var tenant = fleet(TWO).tenants().getFirst();

        assertThat(tenant.serviceAccount()).contains("etcd-team-a");
        assertThat(tenant.pods().images()).contains(List.of("registry.example/etcd"));
        assertThat(tenant.pods().storageClasses()).isEmpty();
        assertThat(tenant.pods().nodeSelector()).containsExactly(Map.entry("pool", "a"));
        assertThat(tenant.pods().tolerations()).containsExactly("dedicated");
        assertThat(tenant.issuers().orElseThrow()).hasSize(1);
        assertThat(tenant.backups().restoreFrom()).containsExactly("team-b");
    }

    @Test
    void findsTheTenantOfAFileByItsLongestPath() {
        var fleet = fleet(TWO);

        assertThat(fleet.tenantOf("clusters/team-a/orders.yaml").map(Tenant::name))
                .contains("team-a");
        assertThat(fleet.tenantOf("clusters/team-a/shared/x.yaml").map(Tenant::name))
                .contains("team-b");
        assertThat(fleet.tenantOf("approvals/team-a/x.yaml").map(Tenant::name)).contains("team-a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters/orders.yaml",
                "clusters/team-ab/orders.yaml",
                "clusters/Team-A/orders.yaml",
                "Clusters/team-a/orders.yaml",
                "approvals/team-b/x.yaml",
                "clusters/team-a/../team-c/orders.yaml",
                "clusters/team-a/./orders.yaml",
                "clusters/team-a//orders.yaml",
                "/clusters/team-a/orders.yaml",
                "./clusters/team-a/orders.yaml",
            })
    void givesFileOutsideTenantsToNoTenant(String file) {
        assertThat(fleet(TWO).tenantOf(file)).isEmpty();
    }

    @Test
    void findsTheTenantOfANamespace() {
        var fleet = fleet(TWO);

        assertThat(fleet.tenantOfNamespace("team-a-staging").map(Tenant::name)).contains("team-a");
        assertThat(fleet.tenantOfNamespace("team-ab")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: team-a|paths: [clusters/x/]|namespaces: [x]|duplicate-tenant",
                "name: x|paths: [clusters/team-a/]|namespaces: [x]|duplicate-path",
                "name: x|paths: [clusters/x/]|namespaces: [team-a-1]|shared-namespace",
                "name: x|paths: [clusters/x/]|namespaces: ['*']|shared-namespace",
                "name: x|paths: [clusters/../y/]|namespaces: [x]|bad-format",
                "name: x|paths: [clusters/./y/]|namespaces: [x]|bad-format",
                "name: x|paths: [clusters/x/]|namespaces: [x]\n      backups: {restoreFrom: [team-c]}|unknown-tenant",
                "name: x|paths: [clusters/x/]|namespaces: [x]\n      environments: [moon]|unknown-environment",
                "name: x|paths: [/etc/]|namespaces: [x]|bad-format",
                "name: x|paths: [etcd-gitops.yaml]|namespaces: [x]|bad-format",
                "name: x|paths: []|namespaces: [x]|*",
            })
    void refusesTenantsWhoseFenceIsNoFence(String input) {
        var parts = input.split("\\|");
        var more = "    - %s\n      %s\n      %s\n".formatted(parts[0], parts[1], parts[2]);

        var violations = violations(TWO + more);

        assertThat(violations).isNotEmpty();
        assertThat(violations)
                .extracting(Violation::code)
                .allMatch(code -> parts[3].equals("*") || code.equals(parts[3]));
    }

    private static Fleet fleet(String spec) {
        var desired = SpecLoader.load(Trees.of(Map.of("etcd-gitops.yaml", Trees.fleet(spec))));
        assertThat(desired.violations()).isEmpty();
        return desired.fleet();
    }

    private static List<Violation> violations(String spec) {
        return SpecLoader.load(Trees.of(Map.of("etcd-gitops.yaml", Trees.fleet(spec))))
                .violations();
    }
}
