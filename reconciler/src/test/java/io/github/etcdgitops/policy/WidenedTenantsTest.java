package io.github.etcdgitops.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.SourceTree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which changes of tenants let more pass than before.
class WidenedTenantsTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    private static final String TENANTS = """
          images: {repositories: [registry.example.org/etcd]}
          environments: [{name: prod, paths: [clusters/]}, {name: lab}]
          tenants:
            - name: team-a
              paths: [clusters/team-a/, policies/team-a/]
              namespaces: [team-a-*]
              environments: [prod]
              serviceAccount: etcd
              images: {repositories: [registry.example.org/team-a/]}
              storageClasses: [fast]
              priorityClasses: [normal]
              nodes: {selector: {pool: a}, tolerations: [dedicated]}
              podMetadata: [team-a.example.org/]
              backups: {policies: [nightly], destinations: ["s3://backups/team-a/"], restoreFrom: [team-b]}
              issuers: [{kind: Issuer, name: own}]
              sharedRings: [{namespace: b, name: orders, prefixes: [/a/], names: ["a-*"], roles: [reader]}]
            - name: team-b
              paths: [clusters/team-b/]
              namespaces: [team-b]
        """.indent(0);

    private static ApprovalRules rules(String spec) {
        String fleet = "apiVersion: etcdgitops.dev/v1alpha1\nkind: Fleet\nmetadata: {name: fleet}\nspec:\n" + spec;
        var desired = SpecLoader.load(new SourceTree(
                "0", new TreeMap<>(Map.of("etcd-gitops.yaml", fleet.getBytes(UTF_8))), List.of(), "digest"));
        assertThat(desired.violations()).isEmpty();
        return ApprovalRules.of(desired, "prod");
    }

    private static List<RelaxedRule> relaxed(String former, String next) {
        return rules(former).relaxedBy(rules(next), NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespaces: [team-a-*] | namespaces: [team-*a] | namespaces",
                "namespaces: [team-a-*] | namespaces: [team-a-*, team-c] | namespaces",
                "policies/team-a/] | policies/team-a/, policies/] | paths",
                "environments: [prod] | environments: [prod, lab] | environments",
                "serviceAccount: etcd | serviceAccount: admin | serviceAccount",
                "registry.example.org/team-a/ | registry.example.org/ | images.repositories",
                "registry.example.org/etcd] | registry.example.org/etcd, evil.example.org/] | spec.images.repositories",
                "storageClasses: [fast] | storageClasses: [fast, slow] | storageClasses",
                "priorityClasses: [normal] | priorityClasses: [high] | priorityClasses",
                "selector: {pool: a} | selector: {disk: a} | nodes.selector",
                "tolerations: [dedicated] | tolerations: [dedicated, control-plane] | nodes.tolerations",
                "podMetadata: [team-a.example.org/] | podMetadata: [example.org/] | podMetadata",
                "policies: [nightly] | policies: [nightly, hourly] | backups.policies",
                "s3://backups/team-a/ | s3://backups/ | backups.destinations",
                "{kind: Issuer, name: own} | {kind: ClusterIssuer, name: corporate} | issuers",
                "name: orders, | name: bills, | sharedRings",
                "prefixes: [/a/] | prefixes: [/a] | sharedRings",
                "prefixes: [/a/] | prefixes: [/a/, /b/] | sharedRings",
                "names: [\"a-*\"] | names: [\"a*\"] | sharedRings",
                "roles: [reader] | roles: [writer] | sharedRings",
                "name: team-b | name: team-c | spec.tenants team-c"
            })
    void widerFences(String former, String next, String setting) {
        String changed = TENANTS.replace(former, next);
        assertThat(changed).isNotEqualTo(TENANTS);

        assertThat(relaxed(TENANTS, changed.replace("restoreFrom: [team-b]", "restoreFrom: []")))
                .anySatisfy(r -> {
                    assertThat(r.setting()).contains(setting);
                    assertThat(r.at().file()).isEqualTo("etcd-gitops.yaml");
                    assertThat(r.former()).isNotEqualTo(r.next());
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespaces: [team-a-*] | namespaces: [team-a-orders]",
                ", policies/team-a/] | ]",
                "registry.example.org/team-a/ | registry.example.org/team-a/etcd",
                "storageClasses: [fast] | storageClasses: []",
                "selector: {pool: a} | selector: {pool: a, disk: b}",
                "s3://backups/team-a/ | s3://backups/team-a/prod/",
                "restoreFrom: [team-b] | restoreFrom: []",
                "prefixes: [/a/] | prefixes: [/a/b, /a/c/]",
                "roles: [reader] | roles: []",
                "repositories: [registry.example.org/etcd] | repositories: []"
            })
    void narrowerFences(String former, String next) {
        assertThat(relaxed(TENANTS, TENANTS.replace(former, next))).isEmpty();
    }

    @Test
    void tenantsThatAreGone() {
        assertThat(relaxed(TENANTS, "  environments: [{name: prod}]\n"))
                .extracting(RelaxedRule::setting)
                .containsExactly("spec.tenants team-a", "spec.tenants team-b");
    }

    /// Before there are tenants, restores of foreign data wait for an approval.
    @Test
    void firstTenantsWidenRestoresAndDestinations() {
        assertThat(relaxed("  images: {repositories: [registry.example.org/]}\n", TENANTS))
                .extracting(RelaxedRule::setting)
                .containsExactly("spec.tenants team-a backups.restoreFrom", "spec.tenants team-a backups.destinations");
    }
}
