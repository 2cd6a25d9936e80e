package io.github.etcdgitops.ring.backup;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.BackupPolicy.Encoding;
import io.github.etcdgitops.spec.value.Destination;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TakeBackupTest {
    static final BackupOrder ORDER = new BackupOrder(
            "prod",
            "nightly",
            new Destination.Directory("/backups", "etcd/"),
            new Encoding(false, Optional.empty(), Optional.empty()),
            "");

    private final TakeBackup take = new TakeBackup(ORDERS, ORDER, "20260101T000000Z", "it is time");

    @Test
    void certifiesWhatItSavedAndUnderItsOwnId() {
        assertThat(take.steps())
                .containsExactly(new BackupStep.SaveSnapshot(ORDER), new BackupStep.CertifyBackup(ORDER, take.id()));
    }

    @Test
    void touchesNothingInTheRing() {
        assertThat(take.changesRing()).isFalse();
        assertThat(take.steps()).allSatisfy(s -> assertThat(s.gate()).isEqualTo(Step.Gate.UNSUSPENDED));
    }

    @Test
    void isAnotherOneOnceThereIsANewerBackup() {
        assertThat(new TakeBackup(ORDERS, ORDER, "20260102T000000Z", "it is time").id())
                .isNotEqualTo(take.id());
        assertThat(new TakeBackup(ORDERS, ORDER, "20260101T000000Z", "another reason").id())
                .isEqualTo(take.id());
    }

    @Test
    void isForAChangeByTheEndOfItsIdAlone() {
        assertThat(take.beforeChange()).isFalse();
        assertThat(suffixed("-change").beforeChange()).isTrue();
        assertThat(suffixed("-once-the-change").beforeChange()).isFalse();
        assertThat(suffixed("-manual").beforeChange()).isFalse();
    }

    private static TakeBackup suffixed(String suffix) {
        var order = new BackupOrder("prod", "nightly", ORDER.destination(), ORDER.encoding(), suffix);
        return new TakeBackup(ORDERS, order, "none", "it is time");
    }

    @Test
    void saysWhereItGoes() {
        assertThat(take.summary()).isEqualTo("back up to file:///backups/etcd/ (policy nightly)");
    }
}
