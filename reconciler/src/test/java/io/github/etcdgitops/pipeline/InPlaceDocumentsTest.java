package io.github.etcdgitops.pipeline;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.ManifestFile;
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
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which documents and backups have a ring make room that is there.
class InPlaceDocumentsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final String BACKUP = "20261121T030000Z";

    private final FakeStore store = new FakeStore("memory", InstantSource.fixed(NOW));
    private final FakeWorld world = Given.ring("demo", "orders").build();
    private final EtcdId own = world.look(ORDERS).clusterId().orElseThrow();

    private static DesiredState desired(String restore) {
        var tree = new TreeMap<String, byte[]>();
        tree.put("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {namespaces: [demo]}
              schedule: {cron: "0 3 * * *"}
              destination: {directory: {path: /backups}}
            """.getBytes(StandardCharsets.UTF_8));
        tree.put("clusters/orders.yaml", ("""
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.5.16"}
            """ + restore).getBytes(StandardCharsets.UTF_8));
        var state = SpecLoader.load(new SourceTree("0000", tree, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private static String document(String inPlace) {
        return """
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: orders-back}
            spec:
              cluster: {namespace: demo, name: orders}
              from: {policy: nightly, environment: default, cluster: {namespace: demo, name: orders}, backup: "%s"}
            %s
            """.formatted(BACKUP, inPlace.isEmpty() ? "" : "  inPlace: {clusterId: \"" + inPlace + "\"}");
    }

    private void keep(EtcdId cluster, String id) {
        var key = new BackupKey("default", ORDERS, cluster, id);
        store.put(key.file("snapshot.db.zst.age"), new byte[1]);
        var of = Manifests.manifest(id);
        var source = new Manifest.Source(
                "default",
                ORDERS,
                cluster,
                of.source().member(),
                of.source().version(),
                of.source().began(),
                of.source().ended());
        var stored = new Manifest.Stored(
                key.file("snapshot.db.zst.age"), 10_000, "cd".repeat(32), true, Optional.of("age1qqq"));
        store.put(
                key.file(BackupKey.MANIFEST),
                ManifestFile.write(new Manifest(id, source, of.content(), stored, of.operationId(), of.tool())));
    }

    private Optional<Restore> restore(DesiredState desired) {
        BackupNeeds needs = Protections.read(
                        BackupListing.of(_ -> store), desired, "default", () -> Restoring.NONE, NOW)
                .of(java.util.Objects.requireNonNull(desired.rings().get(ORDERS)), Reading.fresh(world, spec(3)));
        return needs.restore();
    }

    @Test
    void restoresInPlaceIfDocumentNamesRing() {
        keep(own, BACKUP);

        assertThat(restore(desired(document(own.toString()))))
                .hasValueSatisfying(r -> assertThat(r).isInstanceOfSatisfying(Restore.InPlace.class, inPlace -> {
                    assertThat(inPlace.former()).isEqualTo(own);
                    assertThat(inPlace.order().backup()).contains(BACKUP);
                }));
    }

    @Test
    void restoreIsRefusedForAnotherOrMissingRing() {
        keep(own, BACKUP);

        assertThat(restore(desired(document("beef"))))
                .hasValueSatisfying(r -> assertThat(r)
                        .isInstanceOfSatisfying(
                                Restore.Asked.class,
                                asked -> assertThat(asked.why())
                                        .contains("is not the one in the document", "beef", own.toString())));
        assertThat(restore(desired(document(""))))
                .hasValueSatisfying(r -> assertThat(r)
                        .isInstanceOfSatisfying(
                                Restore.Asked.class,
                                asked -> assertThat(asked.why()).contains("already exists")));
    }

    @Test
    void withoutItsBackupTheRingStays() {
        assertThat(restore(desired(document(own.toString()))))
                .hasValueSatisfying(r -> assertThat(r).isInstanceOf(Restore.Awaited.class));
    }

    /// A document that was carried out long ago is no reason to found a ring with its backup.
    @Test
    void neverRestoresMissingRingInPlace() {
        keep(own, BACKUP);
        var needs = Protections.read(
                        BackupListing.of(_ -> store),
                        desired(document(own.toString())),
                        "default",
                        () -> Restoring.NONE,
                        NOW)
                .of(spec(3), Reading.fresh(Given.absent("demo", "orders").build(), spec(3)));

        assertThat(needs.restore())
                .hasValueSatisfying(r -> assertThat(r)
                        .isInstanceOfSatisfying(
                                Restore.Awaited.class,
                                awaited -> assertThat(awaited.reason()).contains("that ring does not exist")));
    }

    @Test
    void neverRecoversRingWithQuorum() {
        keep(own, BACKUP + StoredBackup.WITHOUT_QUORUM + 1);

        assertThat(restore(desired(""))).isEmpty();
    }

    /// One of another ring of the name, or of an earlier loss, has not what this one has.
    @Test
    void recoversRingWithoutQuorumFromItsSavedData() {
        world.faults(ORDERS).loseVolume(0);
        world.faults(ORDERS).loseVolume(1);
        world.tick(30);
        keep(new EtcdId(7), BACKUP + StoredBackup.WITHOUT_QUORUM + 1);
        keep(own, BACKUP + StoredBackup.WITHOUT_QUORUM + 9);
        keep(own, BACKUP);
        assertThat(restore(desired(""))).isEmpty();

        keep(own, BACKUP + StoredBackup.WITHOUT_QUORUM + 1);

        assertThat(restore(desired("")))
                .hasValueSatisfying(r -> assertThat(r).isInstanceOfSatisfying(Restore.InPlace.class, inPlace -> {
                    assertThat(inPlace.order().recovers()).isTrue();
                    assertThat(inPlace.order().backup()).contains(BACKUP + StoredBackup.WITHOUT_QUORUM + 1);
                }));
    }

    private static final String NO_IMAGE = "restores need the image of etcd-gitops: set ETCD_GITOPS_IMAGE";

    private Optional<Restore> unable(FakeWorld observed) {
        var desired = desired(document(observed == world ? own.toString() : ""));
        var listing = new BackupListing.OfStores(_ -> store, Optional::empty, () -> Optional.of(NO_IMAGE));
        return Protections.read(listing, desired, "default", () -> Restoring.NONE, NOW)
                .of(java.util.Objects.requireNonNull(desired.rings().get(ORDERS)), Reading.fresh(observed, spec(3)))
                .restore();
    }

    /// Its pod would be asked for when the whole snapshot was read and proven.
    @Test
    void planRefusesRestoreWithoutImage() {
        keep(own, BACKUP);

        for (var observed : List.of(world, Given.absent("demo", "orders").build())) {
            assertThat(unable(observed))
                    .hasValueSatisfying(r -> assertThat(r)
                            .isInstanceOfSatisfying(
                                    Restore.Awaited.class,
                                    awaited -> assertThat(awaited.reason())
                                            .contains("orders-back cannot be carried out", NO_IMAGE)));
        }
    }

    /// The document was carried out, or names nothing that is there: it says so as before.
    @Test
    void finishedRestoreNeedsNoImage() {
        var desired = desired(document("beef"));
        var listing = new BackupListing.OfStores(_ -> store, Optional::empty, () -> Optional.of(NO_IMAGE));
        var needs = Protections.read(listing, desired, "default", () -> Restoring.NONE, NOW)
                .of(java.util.Objects.requireNonNull(desired.rings().get(ORDERS)), Reading.fresh(world, spec(3)));

        assertThat(needs.restore()).hasValueSatisfying(r -> assertThat(r).isInstanceOf(Restore.Asked.class));
    }
}
