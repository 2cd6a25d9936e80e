package io.github.etcdgitops.ring.maintenance;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import org.junit.jupiter.api.Test;

class MaintainMemberTest {
    private static MaintainMember of(int members) {
        return new MaintainMember(ORDERS, 1, new EtcdId(7), members, new Maintenance.Defragment(50, 1 << 20));
    }

    @Test
    void refusesEvictionsWhileMemberIsAway() {
        assertThat(StepOrder.names(of(3)))
                .containsExactly("BlockEvictions", "YieldLeadership", "Defragment", "SetBudget");
        assertThat(StepOrder.names(of(1))).containsExactly("BlockEvictions", "Defragment", "SetBudget");
    }

    @Test
    void riskIsHigherWhereRingCannotWrite() {
        assertThat(of(3).risk()).isEqualTo(Risk.LOW);
        assertThat(of(2).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(of(1).risk()).isEqualTo(Risk.MEDIUM);
    }

    @Test
    void neitherSizeNorTimeIsInItsId() {
        assertThat(of(3).id()).isEqualTo(of(5).id());
        assertThat(of(3).summary()).isEqualTo("defragment orders-1");
        assertThat(of(3).reason()).contains("50 %");
    }
}
