package io.github.etcdgitops.ring.backup;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PruneBackupsTest {
    private static List<BackupKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BackupKey("prod", ORDERS, new EtcdId(1), "2026010%dT000000Z".formatted(i + 1)))
                .toList();
    }

    @Test
    void namesAFewAndCountsTheRest() {
        assertThat(new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, keys(1), List.of())
                        .summary())
                .isEqualTo("delete backup 20260101T000000Z from file:///backups/etcd/");
        assertThat(new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, keys(5), List.of())
                        .summary())
                .isEqualTo("delete backups 20260101T000000Z, 20260102T000000Z, 20260103T000000Z and 2 more from"
                        + " file:///backups/etcd/");
        assertThat(new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, List.of(), keys(1))
                        .summary())
                .startsWith("delete the remains of unfinished backup 20260101T000000Z");
    }

    @Test
    void isKnownByWhatItDeletes() {
        var one = new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, keys(1), List.of());

        assertThat(one.id())
                .isNotEqualTo(
                        new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, keys(2), List.of())
                                .id());
        assertThat(one.id())
                .isNotEqualTo(
                        new PruneBackups(ORDERS, TakeBackupTest.ORDER, BackupPolicy.Retention.ALL, List.of(), keys(1))
                                .id());
        assertThat(one.changesRing()).isFalse();
    }
}
