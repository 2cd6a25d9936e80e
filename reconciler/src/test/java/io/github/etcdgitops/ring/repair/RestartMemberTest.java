package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import org.junit.jupiter.api.Test;

class RestartMemberTest {
    private final RestartMember restart = new RestartMember(ORDERS, 1, new EtcdId(0x2f), "uid-5", 2, 3);

    @Test
    void isCountedBeforeThePodIsDeleted() {
        assertThat(StepOrder.names(restart)).containsExactly("NoteTry", "FreePod");
    }

    @Test
    void isAboutThisVeryPod() {
        assertThat(new RestartMember(ORDERS, 1, new EtcdId(0x2f), "uid-5", 3, 3).id())
                .isEqualTo(restart.id());
        assertThat(new RestartMember(ORDERS, 1, new EtcdId(0x2f), "uid-6", 2, 3).id())
                .isNotEqualTo(restart.id());
    }

    @Test
    void touchesNothingThatRuns() {
        assertThat(restart.risk()).isEqualTo(Risk.LOW);
        assertThat(restart.consent()).isEqualTo(Consent.PERMITTED);
        assertThat(restart.heals()).isTrue();
        assertThat(restart.mendsLosses()).isFalse();
        assertThat(restart.summary()).isEqualTo("restart orders-1 in another pod (2 of 3)");
        assertThat(restart.reason()).isEqualTo("the container of orders-1 exits again and again");
    }
}
