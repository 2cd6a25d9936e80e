package io.github.etcdgitops.ring.backup;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.value.EtcdId;
import org.junit.jupiter.api.Test;

class DrillBackupTest {
    private static final BackupKey BACKUP = new BackupKey("prod", ORDERS, new EtcdId(31), "20260101T000000Z");

    private final DrillBackup drill = new DrillBackup(ORDERS, TakeBackupTest.ORDER, BACKUP, "drills", "none");

    @Test
    void touchesNothingInTheRing() {
        assertThat(drill.changesRing()).isFalse();
        assertThat(drill.steps())
                .containsExactly(new BackupStep.TryRestore(TakeBackupTest.ORDER, BACKUP, "drills", drill.id()));
        assertThat(drill.steps()).allSatisfy(s -> assertThat(s.gate()).isEqualTo(Step.Gate.UNSUSPENDED));
    }

    @Test
    void isAnotherOneOnceThereWasOne() {
        var next = new DrillBackup(ORDERS, TakeBackupTest.ORDER, BACKUP, "drills", "20260102T000000Z");

        assertThat(next.id()).isNotEqualTo(drill.id());
    }

    @Test
    void saysWhatItTriesAndWhere() {
        assertThat(drill.summary())
                .isEqualTo("drill: restore backup 20260101T000000Z in namespace drills, compare it, remove it again");
    }
}
