package io.github.etcdgitops.backup;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Manifests and keys of the ring demo/orders.
public final class Manifests {
    public static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    public static final EtcdId CLUSTER = new EtcdId(0xabcL);

    private Manifests() {}

    public static BackupKey key(String id) {
        return new BackupKey("prod", ORDERS, CLUSTER, id);
    }

    public static Manifest manifest(String id) {
        var source = new Manifest.Source(
                "prod",
                ORDERS,
                CLUSTER,
                "orders-1",
                new EtcdVersion(3, 5, 16),
                Instant.parse("2026-01-02T03:04:05Z"),
                Instant.parse("2026-01-02T03:05:00.5Z"));
        var hashes = List.of(new KvHash(812, 700, 4_294_967_295L, List.of("orders-1", "orders-2")));
        var content = new Manifest.Content(
                20_512,
                "ab".repeat(32),
                812,
                7,
                OptionalLong.of(99),
                hashes,
                Optional.of(new Manifest.RingRevision(810, Instant.parse("2026-01-02T03:04:04Z"), 3)));
        var stored = new Manifest.Stored(
                key(id).file("snapshot.db.zst.age"), 10_000, "cd".repeat(32), true, Optional.of("age1qqq"));
        return new Manifest(id, source, content, stored, "0123456789abcdef", "etcd-gitops 0.1.0");
    }
}
