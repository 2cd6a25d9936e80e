package io.github.etcdgitops.pipeline;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.pipeline.backup.BackupListing;
import io.github.etcdgitops.pipeline.backup.Protections;
import io.github.etcdgitops.pipeline.backup.Restoring;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What retention leaves while some ring begins with it.
class RestoringTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final String OLD = "20261119T030000Z";
    private static final String IN_USE = "20261120T030000Z";
    private static final String NEWEST = "20261121T030000Z";
    private static final ClusterRef COPY = new ClusterRef("demo", "copy");

    private final FakeStore store = new FakeStore("memory", InstantSource.fixed(NOW));
    private final FakeWorld world = Given.ring("demo", "orders").build();
    private final EtcdId own = world.look(ORDERS).clusterId().orElseThrow();

    /// A policy that keeps one backup, and a ring that begins with the newest of orders.
    private static DesiredState desired() {
        var tree = new TreeMap<String, byte[]>();
        tree.put("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {namespaces: [demo]}
              schedule: {cron: "0 3 * * *"}
              retention: {last: 1}
              destination: {directory: {path: /backups}}
            """.getBytes(StandardCharsets.UTF_8));
        tree.put("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.5.16"}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: copy, namespace: demo}
            spec: {size: 3, version: "3.5.16"}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: copy-orders}
            spec:
              cluster: {namespace: demo, name: copy}
              from: {policy: nightly, environment: default, cluster: {namespace: demo, name: orders}}
            """.getBytes(StandardCharsets.UTF_8));
        var state = SpecLoader.load(new SourceTree("0000", tree, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private List<String> expired(Map<ClusterRef, KubeState> rings) {
        for (String id : List.of(OLD, IN_USE, NEWEST)) {
            var key = new BackupKey("default", ORDERS, own, id);
            store.put(key.file("snapshot.db"), new byte[1]);
            store.put(key.file(BackupKey.MANIFEST), new byte[1]);
        }
        var desired = desired();
        return Protections.read(
                        BackupListing.of(_ -> store),
                        desired,
                        "default",
                        () -> Restoring.of(Listing.of(new TreeMap<>(rings))),
                        NOW)
                .of(java.util.Objects.requireNonNull(desired.rings().get(ORDERS)), Reading.fresh(world, spec(3)))
                .policies()
                .getFirst()
                .dues()
                .expired()
                .stream()
                .map(BackupKey::id)
                .toList();
    }

    /// A ring with this under way, and with IN_USE as what it begins with.
    private KubeState with(Intent.Kind kind) {
        var manifest = Manifests.manifest(IN_USE);
        var origin = new SnapshotOrigin(
                "copy-orders",
                "file:///backups/" + new BackupKey("default", ORDERS, own, IN_USE).file("snapshot.db"),
                Optional.of(IN_USE),
                512,
                "ab".repeat(32),
                Optional.empty(),
                Optional.of(manifest.contents()));
        boolean making = kind == Intent.Kind.RECOVER;
        var intent = making ? Intent.of(kind, "1234", 1, origin) : new Intent(kind, 0, "1234", 1);
        var journal = new Journal(
                1,
                "token",
                making ? Optional.of(new EtcdId(7)) : Optional.empty(),
                new MemberSettings(manifest.source().version(), new TreeMap<>()),
                new TreeMap<>(),
                Optional.of(intent),
                making ? Journal.Past.NONE : new Journal.Past(Optional.of(origin), Optional.empty(), Optional.empty()));
        var nothing = KubeState.unread("not asked");
        return new KubeState(
                nothing.statefulSet(),
                Observed.known(Optional.of(new KubeState.JournalState(journal, "5"))),
                nothing.pods(),
                nothing.claims(),
                nothing.budget(),
                nothing.configs(),
                nothing.objects());
    }

    @Test
    void expiresBackupThatNoRingRestores() {
        assertThat(expired(Map.of())).containsExactlyInAnyOrder(OLD, IN_USE);
        assertThat(expired(Map.of(COPY, with(Intent.Kind.FOUND)))).containsExactlyInAnyOrder(OLD, IN_USE);
    }

    @Test
    void leavesTheBackupThatAnotherRingIsFilledWith() {
        assertThat(expired(Map.of(COPY, with(Intent.Kind.RESTORE)))).containsExactly(OLD);
    }

    @Test
    void leavesTheBackupThatARingMakesRoomFor() {
        assertThat(expired(Map.of(ORDERS, with(Intent.Kind.RECOVER)))).containsExactly(OLD);
    }

    /// Which one the other ring began with stands in a journal that nobody could read.
    @Test
    void leavesAllIfTheOneInUseIsUnknown() {
        assertThat(expired(Map.of(COPY, KubeState.unread("HTTP 500")))).isEmpty();
        assertThat(expired(Map.of(new ClusterRef("demo", "other"), KubeState.unread("HTTP 500"))))
                .containsExactlyInAnyOrder(OLD, IN_USE);
    }
}
