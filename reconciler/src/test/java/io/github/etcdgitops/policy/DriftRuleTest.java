package io.github.etcdgitops.policy;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.ManualDrift;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What is said of what somebody has changed by hand and a policy leaves.
class DriftRuleTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final String TOLD =
            "{rules: {drift-policy: {%sfields: [{object: client-service, pointer: /spec/type, mode: %s}]}}}";

    private static DesiredState desired(String policy, String... more) {
        var files = new TreeMap<String, byte[]>();
        put(
                files,
                "clusters/a.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: orders, namespace: demo}\n"
                        + "spec: {size: 3, version: \"3.5.16\"}\n");
        put(
                files,
                "policies/p.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: all}\nspec: " + policy + "\n");
        for (int i = 0; i < more.length; i += 2) {
            put(files, more[i], more[i + 1]);
        }
        return SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
    }

    private static void put(TreeMap<String, byte[]> files, String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static ClusterState changed() {
        return fresh(Given.ring("demo", "orders").build(), spec(3))
                .drifting(List.of(new ObjectDrift(ManagedObject.CLIENT_SERVICE, List.of("/spec/type"))));
    }

    private static List<Finding> findings(DesiredState desired) {
        var ring = Objects.requireNonNull(desired.rings().get(ORDERS));
        return PolicyEngine.of(desired).drift(ring, changed(), NOW);
    }

    private static String exemption(String expires) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyExemption
            metadata: {name: vendor}
            spec:
              rules: [drift-policy]
              rings: [{namespace: demo, name: orders}]
              owner: team-shop
              reason: The load balancer stays for now.
              ticket: SEC-1
              created: "2026-10-01T00:00:00Z"
              expires: "%s"
            """.formatted(expires);
    }

    @Test
    void reportsDriftAsFindingUnlessIgnored() {
        assertThat(findings(desired(TOLD.formatted("", "report"))))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.code()).isEqualTo("drift-policy");
                    assertThat(f.level()).isEqualTo(Level.WARNING);
                    assertThat(f.denies()).isFalse();
                    assertThat(f.message())
                            .contains(
                                    "the client service was changed by hand at /spec/type, and the policy leaves it as"
                                            + " it is")
                            .endsWith("(policy all)");
                });
        assertThat(findings(desired(TOLD.formatted("effect: audit, ", "report"))))
                .extracting(Finding::level)
                .containsExactly(Level.NOTE);
        assertThat(findings(desired(TOLD.formatted("", "ignore")))).isEmpty();
        assertThat(findings(desired(TOLD.formatted("", "correct")))).isEmpty();
        assertThat(findings(desired("{clusters: {namespaces: [shop]}, "
                        + TOLD.formatted("", "report").substring(1))))
                .as("a policy of other rings")
                .isEmpty();
    }

    @Test
    void exemptedRingGetsNoteInsteadOfWarning() {
        var exempted =
                findings(desired(TOLD.formatted("", "report"), "policies/e.yaml", exemption("2026-12-10T00:00:00Z")));
        assertThat(exempted).singleElement().satisfies(f -> {
            assertThat(f.level()).isEqualTo(Level.NOTE);
            assertThat(f.message()).contains("exempted by vendor until");
        });
        var expired =
                findings(desired(TOLD.formatted("", "report"), "policies/e.yaml", exemption("2026-11-25T00:00:00Z")));
        assertThat(expired).singleElement().satisfies(f -> {
            assertThat(f.level()).isEqualTo(Level.WARNING);
            assertThat(f.message()).contains("the exemption vendor expired");
        });
    }

    /// It may have wanted that left: nothing is corrected because of a typing error.
    @Test
    void invalidPolicyKeepsDriftItMayAllow() {
        var desired = desired("{rules: {drift-policy: {field: []}}}");
        var ring = Objects.requireNonNull(desired.rings().get(ORDERS));

        assertThat(ManualDrift.of(ring, changed()).corrected()).isEmpty();
        assertThat(findings(desired)).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("policy-unread");
            assertThat(f.level()).isEqualTo(Level.WARNING);
            assertThat(f.message()).contains("/spec/type", "Fix the policy");
        });
    }
}
