package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A document of one tenant, held against its fence: it is a violation at its place, and the ring of another tenant is
/// read as if it were not there.
class FencesTest {
    private static final ClusterRef VAULT = new ClusterRef("team-a", "vault");
    private static final ClusterRef MINE = new ClusterRef("team-b", "mine");
    private static final String FLEET = Trees.fleet("""
          images: {repositories: [registry.example/etcd]}
          environments:
            - {name: prod, paths: [clusters/]}
            - name: lab
          tenants:
            - name: team-a
              paths: [clusters/team-a/, policies/team-a/, approvals/team-a/, tombstones/team-a/]
              namespaces: [team-a]
              backups: {policies: [nightly]}
            - name: team-b
              paths: [clusters/team-b/, policies/team-b/, approvals/team-b/, tombstones/team-b/]
              namespaces: [team-b, "team-b-*"]
              environments: [prod]
              storageClasses: [standard]
              priorityClasses: [batch]
              nodes: {selector: {pool: b}, tolerations: [dedicated]}
              podMetadata: [prometheus.io/]
              issuers: [{kind: ClusterIssuer, name: corporate}]
              backups:
                policies: [weekly]
                destinations: ["s3://backups/team-b/", "file:///backups/team-b/"]
        """);

    private final Map<String, String> files = new TreeMap<>();

    FencesTest() {
        files.put("etcd-gitops.yaml", FLEET);
        files.put("clusters/team-a/vault.yaml", ring("team-a", "vault", "  backup: {policy: nightly}\n"));
        files.put("policies/nightly.yaml", policy("nightly", "s3: {bucket: backups, region: x, prefix: all}", ""));
        files.put("policies/weekly.yaml", policy("weekly", "s3: {bucket: backups, region: x, prefix: weekly}", ""));
        mine("");
    }

    private void mine(String spec) {
        files.put(
                "clusters/team-b/mine.yaml",
                ring(
                        "team-b",
                        "mine",
                        spec.contains("storage:") ? spec : "  storage: {storageClassName: standard}\n" + spec));
    }

    private static String ring(String namespace, String name, String spec) {
        String more = namespace.startsWith("team-b") && !spec.contains("podTemplate")
                ? "  podTemplate: {nodeSelector: {pool: b}}\n"
                : "";
        return document(
                "EtcdCluster",
                "name: " + name + "\n  namespace: " + namespace,
                "  size: 3\n  version: \"3.5.16\"\n" + more + spec);
    }

    private static String policy(String name, String destination, String spec) {
        return document("BackupPolicy", "name: " + name, "  destination: {" + destination + "}\n" + spec);
    }

    private static String document(String kind, String metadata, String spec) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: %s\nmetadata:\n  %s\nspec:\n%s"
                .formatted(kind, metadata, spec);
    }

    private DesiredState load() {
        return SpecLoader.load(Trees.of(files));
    }

    @Test
    void readsWhatStandsInsideEveryFence() {
        files.put(
                "policies/team-b/own.yaml",
                policy(
                        "team-b-own",
                        "s3: {bucket: backups, region: x, prefix: team-b/etcd}",
                        "  clusters: {namespaces: [team-b]}\n"));
        mine("  backup: {policy: team-b-own}\n");

        var desired = load();

        assertThat(desired.violations()).isEmpty();
        assertThat(desired.rings()).containsOnlyKeys(VAULT, MINE);
    }

    /// The ring of team-b is left as it is, that of team-a goes on.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "  environment: lab",
                "  image: {repository: docker.io/library/etcd}",
                "  image: {repository: gcr.io/etcd-development.evil/etcd}",
                "  image: {repository: gcr.io/etcd-development-evil/etcd}",
                "  image: {repository: gcr.io:443/etcd-development/etcd}",
                "  image: {repository: evil.example/gcr.io/etcd-development/etcd}",
                "  image: {repository: evil.example/etcd, digest: 'sha256:"
                        + "0000000000000000000000000000000000000000000000000000000000000000'}",
                "  image: {repository: registry.example/etcd/evil}",
                "  image: {repository: registry.example/etcd-evil}",
                "  image: {repository: user@gcr.io/etcd-development/etcd}",
                "  image: {repository: GCR.io/etcd-development/etcd}",
                "  storage: {storageClassName: gold}",
                "  storage: {size: 8Gi}",
                "  podTemplate: {nodeSelector: {pool: b}, priorityClassName: high}",
                "  podTemplate: {nodeSelector: {pool: b}, priorityClassName: system-node-critical}",
                "  podTemplate: {nodeSelector: {pool: a}}",
                "  podTemplate: {nodeSelector: {}}",
                "  podTemplate: {nodeSelector: {pool: b}, tolerations: [{operator: Exists}]}",
                "  podTemplate: {nodeSelector: {pool: b}, tolerations: [{key: '', operator: Exists}]}",
                "  podTemplate: {nodeSelector: {pool: b}, tolerations: [{key: node-role.kubernetes.io/control-plane}]}",
                "  podTemplate: {nodeSelector: {pool: b}, schedulerName: mine}",
                "  podTemplate: {nodeSelector: {pool: b}, metadata: {annotations:"
                        + " {container.apparmor.security.beta.kubernetes.io/etcd: unconfined}}}",
                "  podTemplate: {nodeSelector: {pool: b}, metadata: {annotations: {iam.amazonaws.com/role: admin}}}",
                "  podTemplate: {nodeSelector: {pool: b}, metadata: {labels: {azure.workload.identity/use: 'true'}}}",
                "  podTemplate: {nodeSelector: {pool: b}, metadata: {labels: {evil.prometheus.io/x: 'true'}}}",
                "  podTemplate: {nodeSelector: {pool: b}, hostNetwork: true}",
                "  podTemplate: {nodeSelector: {pool: b}, serviceAccountName: admin}",
                "  podTemplate: {nodeSelector: {pool: b}, runtimeClassName: none}",
                "  podTemplate: {nodeSelector: {pool: b}, volumes: []}",
                "  podTemplate: {nodeSelector: {pool: b}, affinity: {podAntiAffinity:"
                        + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, namespaceSelector:"
                        + " {}}]}}}",
                "  podTemplate: {nodeSelector: {pool: b}, affinity: {podAffinity:"
                        + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm:"
                        + " {topologyKey: zone, namespaces: [team-b, team-a]}}]}}}",
                "  tls: {client: mutual, issuer: {kind: ClusterIssuer, name: other}}",
                "  tls: {client: mutual, issuer: {kind: Issuer, name: corporate}}",
                "  backup: {policy: nightly}",
            })
    void refusesRingThatAsksForMoreThanItsTenantMay(String spec) {
        mine(spec + "\n");

        var desired = load();

        assertThat(desired.violations()).isNotEmpty();
        assertThat(desired.violations()).allMatch(v -> v.at().file().equals("clusters/team-b/mine.yaml"));
        assertThat(desired.rejected()).containsExactly(MINE);
        assertThat(desired.rings()).containsOnlyKeys(VAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  image: {repository: registry.example/etcd}",
                "  image: {repository: quay.io/coreos/etcd}",
                "  storage: {storageClassName: standard, size: 9Gi}",
                "  podTemplate: {nodeSelector: {pool: b, zone: z}, priorityClassName: batch,"
                        + " tolerations: [{key: dedicated, operator: Exists}],"
                        + " metadata: {labels: {team: b}, annotations: {prometheus.io/scrape: 'true'}}}",
                "  podTemplate: {nodeSelector: {pool: b}, affinity: {podAntiAffinity:"
                        + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone,"
                        + " labelSelector: {matchLabels: {a: b}}, namespaces: [team-b-x]}]}}}",
                "  tls: {client: mutual, issuer: {kind: ClusterIssuer, name: corporate}}",
                "  tls: {client: mutual, issuer: {kind: BuiltIn}}",
                "  backup: {policy: weekly}",
            })
    void acceptsRingThatAsksForWhatItsTenantMay(String spec) {
        mine(spec + "\n");

        assertThat(load().violations()).isEmpty();
    }

    /// The document, and the code of its violation. Nothing of it reaches the ring of team-a.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters/team-b/x.yaml|EtcdCluster|name: loot, namespace: kube-system|size: 3, version:"
                        + " 3.5.16|outside-tenant",
                "clusters/team-b/x.yaml|EtcdCluster|name: vault, namespace: team-a|size: 1, version:"
                        + " 3.5.16|outside-tenant",
                "clusters/team-b/x.yaml|EtcdCluster|name: vault, namespace: team-a|nonsense: 1|outside-tenant",
                "clusters/team-b/x.yaml|EtcdClster|name: vault, namespace: team-a|size: 1|outside-tenant",
                "clusters/team-b/x.yaml|EtcdBackup|name: x|cluster: {namespace: team-a, name: vault}, policy:"
                        + " weekly|outside-tenant",
                "clusters/team-b/x.yaml|EtcdRestore|name: x|cluster: {namespace: team-a, name: vault}, from: {url:"
                        + " 's3://backups/team-b/x'}|outside-tenant",
                "clusters/team-b/x.yaml|EtcdRestore|name: x|cluster: {namespace: team-a, name: gone}, from:"
                        + " {}|outside-tenant",
                "clusters/team-b/x.yaml|VolumeReset|name: x|cluster: {namespace: team-a, name: vault}|outside-tenant",
                "clusters/team-b/x.yaml|MemberReplacement|name: x|cluster: {namespace: team-a, name:"
                        + " vault}|outside-tenant",
                "tombstones/team-b/x.yaml|Tombstone|name: x|cluster: {namespace: team-a, name: vault}|outside-tenant",
                "approvals/team-b/x.yaml|Approval|name: x|cluster: {namespace: team-a, name: vault}|outside-tenant",
                "policies/team-b/x.yaml|Policy|name: team-b-x|clusters: {namespaces: [team-a]}|outside-tenant",
                "policies/team-b/x.yaml|Policy|name: nightly|clusters: {}|outside-tenant",
                "policies/team-b/x.yaml|BackupPolicy|name: nightly|destination: {directory: {path:"
                        + " /backups/team-b}}|outside-tenant",
                "policies/team-b/x.yaml|BackupPolicy|name: team-a-x|destination: {directory: {path:"
                        + " /backups/team-b}}|outside-tenant",
                "policies/team-b/x.yaml|BackupPolicy|name: team-b-x|destination: {directory: {path:"
                        + " /backups/team-bb}}|outside-tenant",
                "policies/team-b/x.yaml|BackupPolicy|name: team-b-x|destination: {directory: {path:"
                        + " /backups/team-b/../team-a}}|*",
                "policies/team-b/x.yaml|BackupPolicy|name: team-b-x|destination: {s3: {bucket: backups, region: x,"
                        + " prefix: all}}, clusters: {namespaces: [team-b]}|outside-tenant",
                "policies/team-b/x.yaml|BackupPolicy|name: team-b-x|destination: {directory: {path: /backups/team-b}},"
                        + " drill: {every: 7d, namespace: team-a}|outside-tenant",
                "policies/team-b/x.yaml|PolicyExemption|name: team-b-x|rules: [x], rings: [{namespace: team-a, name:"
                        + " vault}], policies: [team-b-p]|outside-tenant",
                "policies/team-b/x.yaml|PolicyExemption|name: team-b-x|rules: [x], rings: [{namespace: team-b, name:"
                        + " mine}]|outside-tenant",
                "policies/team-b/x.yaml|PolicyExemption|name: team-b-x|rules: [x], rings: [{namespace: team-b, name:"
                        + " mine}], policies: [guard]|outside-tenant",
                "clusters/x.yaml|EtcdCluster|name: vault, namespace: team-a|size: 1, version: 3.5.16|no-tenant",
                "clusters/team-bb/x.yaml|EtcdCluster|name: mine, namespace: team-b|size: 1, version: 3.5.16|no-tenant",
                "clusters/Team-B/x.yaml|EtcdCluster|name: mine, namespace: team-b|size: 1, version: 3.5.16|no-tenant",
                "approvals/x.yaml|Approval|name: x|cluster: {namespace: team-a, name: vault}|no-tenant",
                "tombstones/x.yaml|Tombstone|name: x|cluster: {namespace: team-a, name: vault}|no-tenant",
            })
    void leavesOutDocumentsOutsideTheFence(String input) {
        var alone = load();
        var parts = input.split("\\|");
        var text = "apiVersion: etcdgitops.dev/v1alpha1\nkind: %s\nmetadata: {%s}\nspec: {%s}\n"
                .formatted(parts[1], parts[2], parts[3]);
        files.put(parts[0], text);

        var desired = load();

        assertThat(desired.violations()).isNotEmpty();
        assertThat(desired.violations()).allMatch(v -> v.at().file().equals(parts[0]));
        assertThat(desired.violations())
                .extracting(Violation::code)
                .satisfies(codes -> assertThat(parts[4].equals("*") || codes.contains(parts[4]))
                        .as("%s among %s", parts[4], codes)
                        .isTrue());
        assertThat(desired.rings().get(VAULT)).isEqualTo(alone.rings().get(VAULT));
        assertThat(desired.approvals()).isEmpty();
        assertThat(desired.tombstones(VAULT)).isEmpty();
        assertThat(desired.protection().restores()).isEmpty();
        assertThat(desired.protection().policies()).isEqualTo(alone.protection().policies());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy: weekly, environment: prod, cluster: {namespace: team-a, name: vault}",
                "policy: nightly, environment: prod, cluster: {namespace: team-b, name: mine}",
                "policy: weekly, environment: lab, cluster: {namespace: team-b, name: mine}",
                "policy: weekly, environment: prod, cluster: {namespace: nobodys, name: mine}",
                "url: 's3://backups/all/prod/team-a/vault/1/2/snapshot.db', region: x",
                "url: 's3://backups/team-bb/x.db', region: x",
                "url: 's3://others/team-b/x.db', region: x",
                "url: 'gs://backups/team-b/x.db'",
                "url: 'file:///etc/kubernetes/pki/x.db'",
                "url: 'file:///backups/team-b/../team-a/x.db'",
            })
    void refusesRestoreOfWhatIsNotTheTenants(String from) {
        files.put(
                "clusters/team-b/restore.yaml",
                document(
                        "EtcdRestore",
                        "name: loot",
                        "  cluster: {namespace: team-b, name: mine}\n  from: {" + from + "}\n"));

        var desired = load();

        assertThat(desired.violations()).isNotEmpty();
        assertThat(desired.rejected()).as("never founded empty").containsExactly(MINE);
        assertThat(desired.rings()).containsOnlyKeys(VAULT);
    }

    @Test
    void restoresOwnBackupAndThatOfTenantThatIsNamed() {
        files.put(
                "etcd-gitops.yaml",
                FLEET.replace("policies: [weekly]", "policies: [weekly]\n        restoreFrom: [team-a]"));
        for (String from : new String[] {
            "policy: weekly, environment: prod, cluster: {namespace: team-b-old, name: mine}",
            "policy: weekly, environment: prod, cluster: {namespace: team-a, name: vault}",
            "url: 's3://backups/team-b/x.db', region: x",
            "url: 'file:///backups/team-b/x.db'"
        }) {
            files.put(
                    "clusters/team-b/restore.yaml",
                    document(
                            "EtcdRestore",
                            "name: again",
                            "  cluster: {namespace: team-b, name: mine}\n  from: {" + from + "}\n"));

            assertThat(load().violations()).as(from).isEmpty();
        }
    }

    @Test
    void createsNoEmptyRingIfRestoreIsBelowNoPath() {
        files.put(
                "clusters/restore.yaml",
                document(
                        "EtcdRestore",
                        "name: again",
                        "  cluster: {namespace: team-b, name: mine}\n"
                                + "  from: {policy: weekly, environment: prod, cluster: {namespace: team-b, name:"
                                + " mine}}\n"));

        var desired = load();

        assertThat(desired.violations()).extracting(Violation::code).containsExactly("no-tenant");
        assertThat(desired.rejected()).containsExactly(MINE);
        assertThat(desired.rings()).containsOnlyKeys(VAULT);
    }

    @Test
    void keepsRingThatOnlyDocumentsOutsideDescribe() {
        files.put("clusters/old.yaml", ring("team-a", "old", ""));

        assertThat(load().rejected()).containsExactly(new ClusterRef("team-a", "old"));
    }

    @Test
    void limitsUnclearDocumentToItsTenant() {
        files.put("clusters/team-b/broken.yaml", "kind: EtcdRestore\nspec: {cluster: [\n");
        files.put("policies/team-b/broken.yaml", "kind: Policy\nspec: {rules: [\n");

        var desired = load();

        var vault = desired.rings().get(VAULT);
        var mine = desired.rings().get(MINE);
        assertThat(desired.protection().unclear())
                .isNotEmpty()
                .noneMatch(at -> desired.fleet().namespacesOf(at.file()).contains("team-a"));
        assertThat(desired.decisions().rules().unread()).isNotEmpty();
        assertThat(desired.decisions().rules().unread()).noneMatch(unread -> unread.mayHold(vault));
        assertThat(desired.decisions().rules().unread()).anyMatch(unread -> unread.mayHold(mine));
        assertThat(desired.protection().rejected())
                .isNotEmpty()
                .noneMatch(policy -> io.github.etcdgitops.spec.PolicySelection.mayHold(policy, vault));
    }

    @Test
    void selectsOnlyRingsOfTheTenantByItsPolicies() {
        files.put(
                "policies/team-b/own.yaml",
                policy("team-b-own", "directory: {path: /backups/team-b}", "  clusters: {environments: [prod]}\n"));
        files.put(
                "policies/team-b/rule.yaml",
                document("Policy", "name: team-b-rule", "  rules:\n    odd-members: {sizes: [3], effect: warn}\n"));

        var desired = load();

        var own = desired.protection().policies().stream()
                .filter(p -> p.name().equals("team-b-own"))
                .findFirst()
                .orElseThrow();
        assertThat(own.rings().selects(desired.rings().get(MINE))).isTrue();
        assertThat(own.rings().selects(desired.rings().get(VAULT))).isFalse();
        var rule = desired.decisions().rules().policies().getFirst();
        assertThat(rule.rings().selects(desired.rings().get(MINE))).isTrue();
        assertThat(rule.rings().selects(desired.rings().get(VAULT))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kube-system", "kube-public", "kube-x"})
    void refusesRingInNamespaceOfKubernetesWithoutTenants(String namespace) {
        var desired = SpecLoader.load(Trees.of(Map.of("clusters/x.yaml", ring(namespace, "x", ""))));

        assertThat(desired.violations()).extracting(Violation::code).containsExactly("forbidden-namespace");
        assertThat(desired.rings()).isEmpty();
    }

    @Test
    void refusesForeignImageAndSystemPriorityWithoutTenants() {
        var desired = SpecLoader.load(Trees.of(Map.of(
                "clusters/x.yaml",
                ring(
                        "demo",
                        "x",
                        "  image: {repository: evil.example/etcd}\n"
                                + "  podTemplate: {priorityClassName: system-cluster-critical}\n"))));

        assertThat(desired.violations())
                .extracting(Violation::code)
                .containsExactlyInAnyOrder("foreign-image", "forbidden-priority");
    }

    @Test
    void refusesDrillInNamespaceOfKubernetes() {
        var desired = SpecLoader.load(Trees.of(Map.of(
                "policies/x.yaml",
                policy("x", "directory: {path: /b}", "  drill: {every: 7d, namespace: kube-system}\n"))));

        assertThat(desired.violations()).extracting(Violation::code).containsExactly("forbidden-namespace");
    }

    @Test
    void takesTheDocumentOfTheOwnerWhereAnotherTenantHasOne() {
        files.put("clusters/team-b/vault.yaml", ring("team-a", "vault", ""));

        var desired = load();

        assertThat(desired.rings().get(VAULT).declaration().source().file()).isEqualTo("clusters/team-a/vault.yaml");
        assertThat(desired.violations()).extracting(Violation::code).contains("outside-tenant");
        assertThat(desired.violations()).extracting(Violation::code).doesNotContain("duplicate-ring");
    }
}
