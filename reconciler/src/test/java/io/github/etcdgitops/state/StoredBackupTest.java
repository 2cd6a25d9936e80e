package io.github.etcdgitops.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.backup.StoredBackup.Purpose;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredBackupTest {
    private static final String TIME = "20260102T030405Z";

    @ParameterizedTest
    @CsvSource({
        "'', SCHEDULE",
        "-change, CHANGE",
        "-manual, REQUEST",
        "-quorum-4711, REQUEST",
        "-once-before-the-move, REQUEST",
        "-once-before-the-change, REQUEST",
        "-once-change, REQUEST"
    })
    void idSuffixGivesPurpose(String suffix, Purpose purpose) {
        var key = new BackupKey("prod", new ClusterRef("demo", "orders"), new EtcdId(1), TIME + suffix);

        assertThat(new StoredBackup(key, Instant.parse("2026-01-02T03:04:05Z"), false, List.of()).purpose())
                .isEqualTo(purpose);
    }
}
