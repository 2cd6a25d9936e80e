package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.pipeline.backup.RestoreSource;
import io.github.etcdgitops.ring.backup.BackupNeeds.Restore;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What a document asks a ring to begin with, and what of it there is.
class RestoreSourceTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final EtcdId FOUNDED_EMPTY = new EtcdId(0xdefL);

    private final FakeStore store = new FakeStore("memory", InstantSource.fixed(NOW));

    private Restore restore(String backup, Optional<SnapshotOrigin> begun) {
        return restore(backup, begun, false);
    }

    private Restore restore(String backup, Optional<SnapshotOrigin> begun, boolean loaded) {
        var tree = new TreeMap<String, byte[]>();
        tree.put("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              destination: {directory: {path: /backups}}
            """.getBytes(StandardCharsets.UTF_8));
        tree.put("clusters/again.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: again, namespace: demo}
            spec: {size: 1, version: "3.5.16"}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: again}
            spec:
              cluster: {namespace: demo, name: again}
              from: {policy: nightly, environment: prod, cluster: {namespace: demo, name: orders}%s}
            """.formatted(backup).getBytes(StandardCharsets.UTF_8));
        var protection = SpecLoader.load(new SourceTree("0000", tree, List.of(), "digest"))
                .protection();
        var request = protection.restores().values().iterator().next();
        return new RestoreSource(_ -> store, protection.policies(), NOW).of(request, begun, loaded);
    }

    private void keep(EtcdId cluster, String id) {
        var key = new BackupKey("prod", Manifests.ORDERS, cluster, id);
        store.put(key.file("snapshot.db.zst.age"), new byte[1]);
        store.put(key.file(BackupKey.MANIFEST), ManifestFile.write(Manifests.manifest(id)));
    }

    private static Optional<String> backup(Restore restore) {
        return restore instanceof Restore.Wanted(var order) ? order.backup() : Optional.empty();
    }

    @Test
    void takesNewestBackupIfOnlyOneRingIsKept() {
        keep(Manifests.CLUSTER, "20261120T030000Z");
        keep(Manifests.CLUSTER, "20261121T030000Z");

        assertThat(backup(restore("", Optional.empty()))).contains("20261121T030000Z");
    }

    /// The newest of all is that of a ring which somebody founded empty by mistake.
    @Test
    void ofSeveralRingsOfTheNameNoneIsGuessed() {
        keep(Manifests.CLUSTER, "20261121T030000Z");
        keep(FOUNDED_EMPTY, "20261122T030000Z");

        assertThat(restore("", Optional.empty()))
                .isInstanceOfSatisfying(
                        Restore.Awaited.class,
                        awaited -> assertThat(awaited.reason())
                                .contains(
                                        "20261121T030000Z (the newest of cluster ID " + Manifests.CLUSTER,
                                        "20261122T030000Z (the newest of cluster ID " + FOUNDED_EMPTY,
                                        "Name a backup by its id"));
        assertThat(backup(restore(", backup: \"20261121T030000Z\"", Optional.empty())))
                .contains("20261121T030000Z");
    }

    @Test
    void keepsChosenBackupWhileItExists() {
        keep(Manifests.CLUSTER, "20261120T030000Z");
        keep(Manifests.CLUSTER, "20261121T030000Z");

        assertThat(backup(restore("", Optional.of(begunWith("20261120T030000Z")))))
                .contains("20261120T030000Z");
        assertThat(backup(restore("", Optional.of(begunWith("20261119T030000Z")))))
                .contains("20261121T030000Z");
        assertThat(restore("", Optional.of(begunWith("20261119T030000Z")), true))
                .as("its data is in the volume: nothing is decided anew")
                .isInstanceOf(Restore.Awaited.class);
    }

    private static SnapshotOrigin begunWith(String id) {
        var key = new BackupKey("prod", Manifests.ORDERS, Manifests.CLUSTER, id);
        return new SnapshotOrigin(
                "again",
                "file:///backups/" + key.file("snapshot.db.zst.age"),
                Optional.of(id),
                20_512,
                "ab".repeat(32),
                Optional.empty(),
                Optional.empty());
    }
}
