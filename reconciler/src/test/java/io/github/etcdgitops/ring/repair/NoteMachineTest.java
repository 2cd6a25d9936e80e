package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.Risk;
import org.junit.jupiter.api.Test;

class NoteMachineTest {
    private final NoteMachine gone = new NoteMachine(ORDERS, 1, "uid-7", "node-7", true);

    @Test
    void writesTheJournalAndNothingElse() {
        assertThat(StepOrder.names(gone)).containsExactly("NoteMachine");
        assertThat(gone.changesRing()).isFalse();
        assertThat(gone.mendsLosses()).isFalse();
    }

    @Test
    void waitsForNoOne() {
        assertThat(gone.risk()).isEqualTo(Risk.LOW);
        assertThat(gone.consent()).isEqualTo(Consent.GIVEN);
        assertThat(gone.heals()).isTrue();
        assertThat(gone.needsBackup()).isFalse();
    }

    @Test
    void isAnotherOneForAnotherMachineAndForItsReturn() {
        assertThat(new NoteMachine(ORDERS, 1, "uid-7", "node-8", true).id()).isNotEqualTo(gone.id());
        assertThat(new NoteMachine(ORDERS, 1, "uid-8", "node-7", true).id()).isNotEqualTo(gone.id());
        assertThat(new NoteMachine(ORDERS, 1, "uid-7", "node-7", false).id()).isNotEqualTo(gone.id());
    }

    @Test
    void saysWhatItNotes() {
        assertThat(gone.reason()).isEqualTo("the node node-7, the only one with the volume of orders-1, is gone");
        assertThat(new NoteMachine(ORDERS, 1, "uid-7", "node-7", false).summary())
                .isEqualTo("record that the node of orders-1 is back");
    }
}
