package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyTestCommandTest {
    private static final String RING = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: EtcdCluster
        metadata: {name: %s, namespace: shop, labels: {stage: %s}}
        spec: {size: %d, version: "%s"}
        """;

    @TempDir
    Path root;

    @BeforeEach
    void createsRepositoryWithPolicies() throws IOException {
        write("policies/production.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: production}
            spec:
              rules:
                odd-members: {sizes: [3, 5]}
                maintenance-window:
                  allow: [{schedule: "0 2 * * 6", duration: 4h, timeZone: Europe/Vienna}]
                waves: {order: [{matchLabels: {stage: canary}}], soak: 1h}
              validations:
                - name: never-five
                  expression: object.spec.size != 5
                  message: five are too many
            """);
        ring("tests/rings/orders.yaml", "orders", "main", 3, "3.5.16");
        ring("tests/rings/orders-next.yaml", "orders", "main", 3, "3.5.21");
        ring("tests/rings/canary.yaml", "canary", "canary", 3, "3.5.16");
        ring("tests/rings/canary-next.yaml", "canary", "canary", 3, "3.5.21");
    }

    private void ring(String file, String name, String stage, int size, String version) throws IOException {
        write(file, RING.formatted(name, stage, size, version));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private void cases(String cases) throws IOException {
        write("tests/windows.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyTest
            metadata: {name: windows}
            spec:
              cases:
            """ + cases.indent(4));
    }

    private Ran test(String... more) {
        return Ran.of(
                Map.of(),
                Stream.concat(Stream.of("policy", "test", root.toString()), Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void passesWhenVerdictsAreAsExpected() throws IOException {
        cases("""
            - name: an upgrade waits on a Monday
              now: "2026-11-23T12:00:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              expect:
                - {rule: maintenance-window, operation: UpgradeVersion, is: hold}
                - {rule: odd-members, ring: {namespace: shop, name: orders}, is: pass}
                - {operation: UpgradeVersion, is: hold}
            - name: and goes early on Saturday
              now: "2026-11-28T01:30:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              expect:
                - {rule: maintenance-window, policy: production, is: pass}
                - {operation: UpgradeVersion, is: allow}
                - {operation: ScaleOut, is: not-planned}
            """);

        var ran = test();

        assertThat(ran.out())
                .contains("ok    windows: an upgrade waits on a Monday", "ok    windows: and goes early on Saturday")
                .contains("2 cases, 0 failed");
        assertThat(ran.code()).isZero();
    }

    @Test
    void ringsAreAskedAboutTogether() throws IOException {
        cases("""
            - name: the canary goes first
              now: "2026-11-28T01:30:00Z"
              before: [rings/orders.yaml, rings/canary.yaml]
              after: [rings/orders-next.yaml, rings/canary-next.yaml]
              expect:
                - {rule: waves, ring: {namespace: shop, name: canary}, is: pass}
                - {rule: waves, ring: {namespace: shop, name: orders}, is: hold}
                - {operation: UpgradeVersion, ring: {namespace: shop, name: canary}, is: allow}
            """);

        assertThat(test().out()).contains("1 case, 0 failed");
    }

    @Test
    void caseMayContainExemptionsAndRings() throws IOException {
        cases("""
            - name: five are denied
              now: "2026-11-28T01:30:00Z"
              after:
                - apiVersion: etcdgitops.dev/v1alpha1
                  kind: EtcdCluster
                  metadata: {name: carts, namespace: shop}
                  spec: {size: 5, version: "3.5.16"}
              expect:
                - {rule: never-five, is: deny}
                - {operation: BootstrapCluster, is: deny}
            - name: who is exempted is not
              now: "2026-11-28T01:30:00Z"
              after:
                - apiVersion: etcdgitops.dev/v1alpha1
                  kind: EtcdCluster
                  metadata: {name: carts, namespace: shop}
                  spec: {size: 5, version: "3.5.16"}
                - apiVersion: etcdgitops.dev/v1alpha1
                  kind: PolicyExemption
                  metadata: {name: carts}
                  spec:
                    rules: [never-five]
                    rings: [{namespace: shop, name: carts}]
                    owner: team-shop
                    reason: history
                    ticket: SHOP-1
                    created: "2026-11-01T00:00:00Z"
                    expires: "2026-12-01T00:00:00Z"
              expect:
                - {rule: never-five, is: exempt}
                - {operation: BootstrapCluster, is: allow}
            """);

        assertThat(test().out()).contains("2 cases, 0 failed");
    }

    @Test
    void failsAndNamesActualVerdicts() throws IOException {
        cases("""
            - name: all wrong
              now: "2026-11-23T12:00:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              expect:
                - {rule: odd-members, is: deny}
                - {rule: maintenance-window, operation: ScaleIn, is: hold}
                - {rule: no-such-rule, is: hold}
                - {operation: UpgradeVersion, is: allow}
                - {operation: UpgradeVersion, is: not-planned}
                - {operation: ScaleIn, is: hold}
            """);

        var ran = test();

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("FAIL  windows: all wrong", "tests/windows.yaml:11:")
                .contains("odd-members should be deny, and is pass for shop/orders")
                .contains("maintenance-window was not evaluated: it was evaluated for shop/orders UpgradeVersion by"
                        + " policy production")
                .contains(
                        "no-such-rule was not evaluated: no policy applies it", "planned is shop/orders UpgradeVersion")
                .contains("UpgradeVersion should be allow, and is hold for shop/orders: [maintenance-window]")
                .contains("UpgradeVersion should not be planned, and is")
                .contains("ScaleIn is not planned")
                .contains("1 case, 1 failed");
        var xml = test("-o", "junit").out();
        assertThat(xml).contains("tests=\"5\"", "failures=\"1\"", "name=\"windows: all wrong\"");
    }

    @Test
    void coverageAsksForACaseThatKeepsARuleAndOneThatBreaksIt() throws IOException {
        cases("""
            - name: an upgrade waits on a Monday
              now: "2026-11-23T12:00:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              expect: [{operation: UpgradeVersion, is: hold}]
            """);

        var ran = test("--coverage");

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("odd-members of policy production: no case breaks it")
                .contains("maintenance-window of policy production: no case complies with it")
                .contains("waves of policy production: no case tests it")
                .contains("0 of 4 rules");
        assertThat(test().code()).isZero();
    }

    @Test
    void rejectsCaseWithMissingOrInvalidDocuments() throws IOException {
        cases("""
            - name: torn
              now: "2026-11-23T12:00:00Z"
              after: [rings/none.yaml, rings/torn.yaml]
              expect: [{rule: odd-members, is: pass}]
            """);
        write("tests/rings/torn.yaml", RING.formatted("torn", "main", 3, "nine"));

        var ran = test();

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("There is no such file or folder")
                .contains("tests/rings/torn.yaml:4:", "nine")
                .doesNotContain("clusters/");
    }

    @Test
    void reportsInvalidTestsAndPolicies() throws IOException {
        cases("""
            - name: wrong
              now: yesterday
              after: [rings/orders.yaml]
              expect: [{is: pass}, {rule: odd-members, is: allow}, {operation: ScaleIn, is: exempt}, {rule: a, is: b}]
            """);
        var wrong = test();
        assertThat(wrong.code()).isEqualTo(10);
        assertThat(wrong.out())
                .contains("/spec/cases/0/now", "`rule` and `operation` are both missing")
                .contains("`allow` is not a result of a rule", "`exempt` is not a result of an operation")
                .contains("/spec/cases/0/expect/3/is");

        write(
                "policies/production.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: x}\n"
                        + "spec: {rules: {odd-membres: {}}}\n");
        var policy = test();
        assertThat(policy.code()).isEqualTo(10);
        assertThat(policy.out()).contains("policies/production.yaml:4:16: error [unknown-field]", "0 cases");
    }

    @Test
    void withoutTestsThereIsNothingToPass() {
        var ran = test("--tests", root.resolve("nowhere").toString());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("There is no such file or folder");
    }

    @Test
    void ringsMayBeWithoutBackups() throws IOException {
        String fresh = """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: backups}
            spec: {rules: {backup-freshness: {maxAge: 24h}}}
            """;
        write("policies/backups.yaml", fresh + """
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {matchLabels: {stage: main}}
              schedule: {cron: "0 3 * * *", timeZone: Europe/Vienna}
              destination: {directory: {path: /backups}}
              retention: {last: 3}
            """);
        String upgrade = """
            - name: %s
              now: "2026-11-28T01:30:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              backups: %s
              expect:
                - {operation: TakeBackup, is: %s}
                - {rule: backup-freshness, operation: UpgradeVersion, is: %s}
                - {operation: UpgradeVersion, is: %s}
            """;
        cases(upgrade.formatted("a backup goes first", "none", "allow", "pass", "allow")
                + upgrade.formatted("a fresh one is enough", "fresh", "not-planned", "pass", "allow"));
        assertThat(test().out()).contains("2 cases, 0 failed");

        write("policies/backups.yaml", fresh);
        cases(upgrade.formatted("there is no place for one", "none", "not-planned", "hold", "hold"));
        assertThat(test().out()).contains("1 case, 0 failed");
    }

    @Test
    void validateIgnoresTests() throws IOException {
        write("tests/torn.yaml", "kind: [");
        ring("clusters/orders.yaml", "orders", "main", 3, "3.5.16");

        assertThat(Ran.of("validate", root.toString()).code()).isZero();
    }

    @Test
    void usesEnvironmentNamedInTest() throws IOException {
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec: {environments: [{name: one, paths: [clusters/one/]}, {name: two, paths: [clusters/two/]}]}
            """);
        cases("""
            - name: an upgrade waits on a Monday
              now: "2026-11-23T12:00:00Z"
              before: [rings/orders.yaml]
              after: [rings/orders-next.yaml]
              expect: [{operation: UpgradeVersion, is: hold}]
            """);
        assertThat(test().out()).contains("FAIL", "the Fleet has several environments");

        var file = root.resolve("tests/windows.yaml");
        Files.writeString(
                file, Files.readString(file).replace("spec:\n  cases:", "spec:\n  environment: two\n  cases:"));
        assertThat(test().out()).contains("1 case, 0 failed");
    }
}
