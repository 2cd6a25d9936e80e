package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.observe.OfflineObservation;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the settings of the reconciler forbid, whatever a repository says.
class ForbiddenNamespacesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final ClusterRef INTRUDER = new ClusterRef("etcd-gitops", "intruder");

    private static String ring(ClusterRef ref) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: %s}
            spec: {size: 3, version: "3.5.16"}
            """.formatted(ref.name(), ref.namespace());
    }

    private static final String DRILLING = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: BackupPolicy
        metadata: {name: nightly}
        spec:
          destination: {directory: {path: /backups}}
          drill: {every: 7d, namespace: infra-drills}
        """;

    @Test
    void leavesOutRingsAndDrillsAndPlansTheOthers() {
        var documents = new TreeMap<String, byte[]>();
        Map.of("clusters/a.yaml", ring(INTRUDER), "clusters/b.yaml", ring(ORDERS), "policies/n.yaml", DRILLING)
                .forEach((file, text) -> documents.put(file, text.getBytes(StandardCharsets.UTF_8)));
        var desired = SpecLoader.load(new SourceTree("0000", documents, List.of(), "digest"));
        assertThat(desired.violations()).isEmpty();
        var view = new FleetView(
                new OfflineObservation(new KubernetesManifests(), List.of(), _ -> Optional.empty()),
                place -> {
                    throw new AssertionError("nothing is to be read at " + place.title());
                },
                InstantSource.fixed(NOW),
                "test",
                new Suspensions(Namespaces.of(List.of("etcd-gitops", "infra-*")), Optional::empty),
                Optional::empty,
                Optional::empty);

        var plan = view.plan(desired, Fleet.DEFAULT_ENVIRONMENT);

        assertThat(plan.violations())
                .extracting(Violation::code)
                .containsExactly("forbidden-namespace", "forbidden-namespace");
        assertThat(plan.clusters())
                .filteredOn(ClusterPlan::changes)
                .extracting(ClusterPlan::ref)
                .containsExactly(ORDERS);
        assertThat(view.allowed(desired).rejected()).containsExactly(INTRUDER);
        assertThat(view.allowed(desired).protection().policies().getFirst().drill())
                .isEmpty();
    }
}
