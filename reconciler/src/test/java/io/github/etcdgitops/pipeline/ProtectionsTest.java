package io.github.etcdgitops.pipeline;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.pipeline.backup.BackupListing;
import io.github.etcdgitops.pipeline.backup.Protections;
import io.github.etcdgitops.pipeline.backup.Restoring;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From the documents of a repository to what is planned for a ring.
class ProtectionsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String RING = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: EtcdCluster
        metadata: {name: orders, namespace: demo}
        spec: {size: 3, version: "3.5.16", image: {repository: registry.example/etcd}}
        """;

    private static final String FLEET = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: Fleet
        metadata: {name: fleet}
        spec: {images: {repositories: [registry.example/etcd]}}
        """;

    /// What is planned for a ring of five.
    private static ClusterPlan plan(String policy) {
        var documents = new TreeMap<String, byte[]>();
        Map.of("etcd-gitops.yaml", FLEET, "clusters/orders.yaml", RING, "policies/nightly.yaml", policy)
                .forEach((file, text) -> documents.put(file, text.getBytes(StandardCharsets.UTF_8)));
        var desired = SpecLoader.load(new SourceTree("0000", documents, List.of(), "digest"));
        // As large as the volumes are that are there.
        var spec = Reading.stored(
                Objects.requireNonNull(desired.rings().get(ORDERS)), new Storage("1Gi", Optional.empty()));
        var state = fresh(Given.ring("demo", "orders").members(5).build(), spec);
        var protections = Protections.read(
                BackupListing.of(place -> {
                    throw new AssertionError("nothing is to be read at " + place.title());
                }),
                desired,
                Environments.DEFAULT,
                () -> Restoring.NONE,
                NOW);
        return Planner.plan(spec, state, protections.of(spec, state), NOW);
    }

    /// One request, where a document has volumes deleted by their age; none where nothing is.
    @ParameterizedTest
    @CsvSource({"Delete, true", "Retain, false"})
    void asksTheClockOfTheServerWhereVolumesGoByTheirAge(String whenScaled, boolean asked) {
        String ring =
                RING.replace("image: {", "storage: {size: 1Gi, retention: {whenScaled: " + whenScaled + "}}, image: {");
        var documents = new TreeMap<String, byte[]>();
        Map.of("etcd-gitops.yaml", FLEET, "clusters/orders.yaml", ring)
                .forEach((file, text) -> documents.put(file, text.getBytes(StandardCharsets.UTF_8)));
        var desired = SpecLoader.load(new SourceTree("0000", documents, List.of(), "digest"));
        var spec = Objects.requireNonNull(desired.rings().get(ORDERS));
        var state = fresh(Given.ring("demo", "orders").members(5).build(), spec);
        var listing = new BackupListing.OfStores(
                _ -> {
                    throw new AssertionError("there are no places");
                },
                () -> Optional.of("it is a year ahead"),
                Optional::empty);

        var needs = Protections.read(listing, desired, Environments.DEFAULT, () -> Restoring.NONE, NOW)
                .of(spec, state);

        assertThat(needs.clock().isPresent()).isEqualTo(asked);
    }

    private static String policy(String namespace, String every) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {namespaces: [%s]}
              every: %s
              destination: {directory: {path: /backups}}
              beforeChange: 1h
            """.formatted(namespace, every);
    }

    @Test
    void typoInPolicyDoesNotSkipRequiredBackup() {
        var plan = plan(policy("demo", "daily"));

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.waiting())
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.reason()).contains("policies/nightly.yaml:1:1"));
    }

    @Test
    void invalidPolicyOfOtherRingsDoesNotAffectThisRing() {
        var plan = plan(policy("shop", "daily"));

        assertThat(plan.waiting()).isEmpty();
        assertThat(plan.operations()).hasSize(2).allMatch(o -> o.operation().needsBackup());
    }
}
