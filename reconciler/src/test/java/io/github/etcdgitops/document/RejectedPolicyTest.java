package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A policy that is wrong is not carried out. It may have asked for a backup before a change, so that it
/// must be known for which rings.
class RejectedPolicyTest {
    private static final String RINGS =
            Trees.ring("orders", "") + "---\n" + Trees.ring("carts", "").replace("namespace: demo", "namespace: shop");
    private static final List<String> BOTH = List.of("demo/orders", "shop/carts");

    private static DesiredState load(String file, String text) {
        return SpecLoader.load(Trees.of(Map.of(file, text, "clusters/a.yaml", RINGS)));
    }

    private static DesiredState load(String policy) {
        return load("policies/nightly.yaml", policy);
    }

    /// The rings for which a rejected policy may hold.
    private static List<String> doubtful(DesiredState state) {
        var doubtful = new ArrayList<String>();
        state.rings().values().stream()
                .filter(ring -> state.protection().rejected().stream().anyMatch(p -> PolicySelection.mayHold(p, ring)))
                .forEach(ring -> doubtful.add(ring.ref().toString()));
        return doubtful;
    }

    private static String policy(String spec) {
        return Trees.policy("nightly", spec);
    }

    @Test
    void validPolicyIsNotRejected() {
        var state = load(policy("  clusters: {namespaces: [demo]}\n  beforeChange: 1h\n"));

        assertThat(state.violations()).isEmpty();
        assertThat(state.protection().rejected()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  every: 0h\n",
                "  schedule: {cron: '61 * * * *'}\n",
                "  retentoin: {last: 3}\n",
                "  beforeChange: soon\n",
                "  maxAge: 1h\n  maxAge: 2h\n"
            })
    void rejectedPolicyConcernsSelectedRings(String wrong) {
        var state = load(policy("  clusters: {namespaces: [demo]}\n" + wrong));

        assertThat(state.violations()).isNotEmpty();
        assertThat(state.protection().policies()).isEmpty();
        assertThat(doubtful(state)).containsExactly("demo/orders");
        assertThat(state.protection().rejected())
                .singleElement()
                .satisfies(p -> assertThat(p.source()).hasToString("policies/nightly.yaml:1:1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  clusters: {namespaces: demo}\n",
                "  clusters: {namespaces: [Demo]}\n",
                "  clusters: {namespace: [demo]}\n",
                "  clusters: {}\n",
                "  clusters: {environments: [prodction]}\n",
                "  clutsers: {namespaces: [demo]}\n",
                "  clusters: {namespaces: [demo]}\n  clusters: {namespaces: [shop]}\n",
                "  <<: {clusters: {namespaces: [demo]}}\n",
                "  clusters: {namespaces: [demo]\n"
            })
    void rejectedPolicyWithUnclearSelectionConcernsAllRings(String wrong) {
        var state = load(policy(wrong));

        assertThat(state.violations()).isNotEmpty();
        assertThat(state.protection().policies()).isEmpty();
        assertThat(doubtful(state)).isEqualTo(BOTH);
    }

    @Test
    void rejectedPolicyWithoutSelectionConcernsRingsThatNameIt() {
        var named = Trees.ring("orders", "  backup: {policy: nightly}\n") + "---\n" + Trees.ring("carts", "");

        var state = SpecLoader.load(
                Trees.of(Map.of("policies/nightly.yaml", policy("  every: 0h\n"), "clusters/a.yaml", named)));

        assertThat(doubtful(state)).containsExactly("demo/orders");
    }

    @Test
    void twoOfOneNameAndTwoOfOnePlaceAreMeantBoth() {
        String selecting = policy("  clusters: {namespaces: [demo]}\n");

        var twice = load(selecting + "---\n" + selecting);
        var shared = load(selecting + "---\n" + selecting.replace("name: nightly", "name: hourly"));

        assertThat(twice.protection().rejected()).hasSize(2);
        assertThat(shared.protection().rejected()).hasSize(2);
        assertThat(doubtful(twice)).containsExactly("demo/orders");
        assertThat(doubtful(shared)).containsExactly("demo/orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: BackupPolicy", "apiVersion: etcdgitops.dev/v1alpha1", "  name: nightly"})
    void documentWithoutEnvelopeMayBePolicy(String line) {
        String text = policy("  clusters: {namespaces: [demo]}\n  beforeChange: 1h\n");

        assertThat(doubtful(load(text.replace(line + "\n", "")))).contains("demo/orders");
        assertThat(doubtful(load(text.replace("kind: BackupPolicy", "kind: BackupPolcy"))))
                .isEqualTo(BOTH);
    }

    @Test
    void policyInWrongFolderCountsAsRejected() {
        assertThat(doubtful(load("clusters/nightly.yaml", policy("  clusters: {namespaces: [demo]}\n"))))
                .containsExactly("demo/orders");
        assertThat(doubtful(
                        load("clusters/nightly.yaml", policy("").replace("kind: BackupPolicy", "kind: BackupPolcy"))))
                .isEqualTo(BOTH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"policies/nightly.yaml", "policies", "policies/folder", "."})
    void unreadableFileMayBePolicy(String file) {
        var tree = Trees.of(Map.of("clusters/a.yaml", RINGS));
        var refused = Violation.of("symbolic-link", Location.ofFile(file), "a link");

        var state = SpecLoader.load(new SourceTree("0", tree.documents(), List.of(refused), "d"));

        assertThat(doubtful(state)).isEqualTo(BOTH);
        assertThat(state.protection().rejected())
                .singleElement()
                .satisfies(p -> assertThat(p.source().file()).isEqualTo(file));
    }

    @Test
    void ignoresInvalidFilesThatCannotBePolicies() {
        assertThat(doubtful(load("# nothing yet\n"))).isEmpty();
        assertThat(doubtful(load("approvals/nightly.yaml", "{"))).isEmpty();
        assertThat(doubtful(load("clusters/b.yaml", Trees.ring("mails", "  storage: {size: much}\n"))))
                .isEmpty();
    }
}
