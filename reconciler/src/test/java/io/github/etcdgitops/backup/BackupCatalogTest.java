package io.github.etcdgitops.backup;

import static io.github.etcdgitops.backup.Manifests.CLUSTER;
import static io.github.etcdgitops.backup.Manifests.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.BackupStore.Entry;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackupCatalogTest {
    private static final Instant NOW = Instant.parse("2026-01-10T00:00:00Z");
    private static final String PLACE = "prod/demo/orders/abc/";

    private static Entry entry(String key, Duration age) {
        return new Entry(key, 1, NOW.minus(age));
    }

    private static RingBackups orders(Entry... entries) {
        return BackupCatalog.of(Arrays.asList(entries), NOW).getOrDefault(ORDERS, RingBackups.NONE);
    }

    /// The two files of a backup.
    private static Stream<Entry> backup(String prefix, Duration age) {
        return Stream.of(entry(prefix + "/snapshot.db.zst", age), entry(prefix + "/manifest.json", age));
    }

    private static Entry[] backups(String... prefixes) {
        return Arrays.stream(prefixes)
                .flatMap(p -> backup(p, Duration.ofHours(20)))
                .toArray(Entry[]::new);
    }

    @Test
    void snapshotWithManifestIsBackup() {
        var backups = orders(
                entry(PLACE + "20260109T030000Z/snapshot.db", Duration.ofHours(21)),
                entry(PLACE + "20260109T030000Z/manifest.json", Duration.ofHours(21)));

        assertThat(backups.backups()).singleElement().satisfies(b -> {
            assertThat(b.id()).isEqualTo("20260109T030000Z");
            assertThat(b.taken()).isEqualTo("2026-01-09T03:00:00Z");
            assertThat(b.verified()).isTrue();
            assertThat(b.key().clusterId()).isEqualTo(CLUSTER);
        });
        assertThat(backups.leftovers()).isEmpty();
    }

    @Test
    void withoutManifestItIsLeftoverAfterOneDay() {
        assertThat(orders(entry(PLACE + "20260109T030000Z/snapshot.db", Duration.ofHours(21))))
                .isEqualTo(RingBackups.NONE);

        assertThat(orders(entry(PLACE + "20260108T030000Z/snapshot.db", Duration.ofHours(45)))
                        .leftovers())
                .containsExactly(new BackupKey("prod", ORDERS, CLUSTER, "20260108T030000Z"));
    }

    @Test
    void agesLeftoverByNewestFile() {
        var backups = orders(
                entry(PLACE + "20260101T030000Z/part-1", Duration.ofDays(9)),
                entry(PLACE + "20260101T030000Z/part-2", Duration.ofHours(1)));

        assertThat(backups.leftovers()).isEmpty();
    }

    @Test
    void readsDamageMarkAndDrillResults() {
        var backups = orders(
                entry(PLACE + "20260109T030000Z/manifest.json", Duration.ofHours(21)),
                entry(PLACE + "20260109T030000Z/damaged.json", Duration.ofHours(1)),
                entry(PLACE + "20260109T030000Z/drill-20260109T050000Z-passed.json", Duration.ofHours(19)),
                entry(PLACE + "20260109T030000Z/drill-20260109T060000Z-failed.json", Duration.ofHours(18)));

        assertThat(backups.newest()).isEmpty();
        assertThat(backups.backups().getFirst().drills())
                .containsExactly(
                        new StoredBackup.Drill(Instant.parse("2026-01-09T05:00:00Z"), true),
                        new StoredBackup.Drill(Instant.parse("2026-01-09T06:00:00Z"), false));
    }

    @Test
    void findsNewestByTimeNotByOrder() {
        var backups = orders(
                backups(PLACE + "20260110T000000Z-manual", PLACE + "20251231T235959Z", PLACE + "20260102T000000Z"));

        assertThat(backups.newest()).map(StoredBackup::id).contains("20260110T000000Z-manual");
        assertThat(backups.backups().getFirst().id()).isEqualTo("20251231T235959Z");
    }

    @Test
    void ignoresManifestWithoutSnapshot() {
        assertThat(orders(entry(PLACE + "20260109T030000Z/manifest.json", Duration.ofHours(20)))
                        .newest())
                .isEmpty();
    }

    @Test
    void timeInFutureIsNotNewest() {
        var backups = orders(backups(PLACE + "20270109T030000Z", PLACE + "20260109T030000Z"));

        assertThat(backups.newest()).map(StoredBackup::id).contains("20260109T030000Z");
    }

    @Test
    void ignoresDrillDatedInFuture() {
        var backups = orders(
                entry(PLACE + "20260109T030000Z/snapshot.db", Duration.ofHours(21)),
                entry(PLACE + "20260109T030000Z/manifest.json", Duration.ofHours(21)),
                entry(PLACE + "20260109T030000Z/drill-20270109T050000Z-passed.json", Duration.ofHours(19)));

        assertThat(backups.newest().orElseThrow().drills()).isEmpty();
    }

    @Test
    void separatesEarlierRingOfSameName() {
        var backups = orders(backups("prod/demo/orders/abc/20260109T030000Z", "prod/demo/orders/def/20260109T040000Z"));

        assertThat(backups.of(CLUSTER).backups()).hasSize(1);
        assertThat(backups.of(new EtcdId(0xdef)).newest()).map(StoredBackup::id).contains("20260109T040000Z");
    }

    @Test
    void ignoresForeignObjects() {
        assertThat(BackupCatalog.of(
                        Arrays.asList(
                                entry("prod/demo/orders/abc/notes.txt", Duration.ofDays(9)),
                                entry("prod/demo/orders/abc/today/manifest.json", Duration.ofDays(9)),
                                entry("prod/demo/orders/nothex/20260109T030000Z/manifest.json", Duration.ofDays(9)),
                                entry("prod/demo/orders/abc/20261309T030000Z/manifest.json", Duration.ofDays(9)),
                                entry("a/b", Duration.ofDays(9))),
                        NOW))
                .isEmpty();
    }

    @Test
    void parsesKeyAsWritten() {
        var key = new BackupKey("prod", ORDERS, new EtcdId(-1), BackupKey.stamp(NOW) + StoredBackup.ON_REQUEST + "x");

        assertThat(BackupKey.parse(key.file("manifest.json"))).contains(new BackupKey.Part(key, BackupKey.MANIFEST));
    }
}
