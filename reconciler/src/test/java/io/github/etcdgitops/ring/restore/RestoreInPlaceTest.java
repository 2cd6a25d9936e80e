package io.github.etcdgitops.ring.restore;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.ring.restore.RecoverQuorumTest.exchange;
import static io.github.etcdgitops.ring.restore.RecoverQuorumTest.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.restore.Exchange.Stage;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestoreInPlaceTest {
    static RestoreInPlace back(Stage stage, boolean saved) {
        return new RestoreInPlace(ORDERS, exchange(order("orders-back"), stage, Map.of()), saved);
    }

    @Test
    void backsUpRingBeforeRestoreWherePossible() {
        assertThat(back(Stage.ASKED, true).needsBackup()).isTrue();
        assertThat(back(Stage.ASKED, false).needsBackup()).isFalse();
        assertThat(back(Stage.ENDED, true).needsBackup()).isFalse();
    }

    @Test
    void takesStepsOfRecovery() {
        assertThat(StepOrder.names(back(Stage.ASKED, true)))
                .isEqualTo(StepOrder.names(RecoverQuorumTest.recover(Stage.ASKED, Map.of())));
    }

    @Test
    void needsApprovalThatNamesTheRing() {
        var asked = back(Stage.ASKED, true);
        assertThat(asked.toBeNamed()).contains(new EtcdId(31));
        assertThat(asked.consent()).isEqualTo(Consent.NEEDED);
        assertThat(asked.risk()).isEqualTo(Risk.DESTRUCTIVE);
        assertThat(asked.heals()).isFalse();
        assertThat(back(Stage.ENDED, true).heals()).isTrue();
    }

    @Test
    void summaryNamesDiscardedWrites() {
        assertThat(back(Stage.ASKED, true).summary())
                .isEqualTo("stop the ring with cluster ID 1f, discard what was written since the backup, and replace"
                        + " it with backup 20260101T000000Z-quorum-7 from file:///backups/orders.db");
        assertThat(back(Stage.CALLED_OFF, true).summary()).contains("no member was stopped");
    }
}
