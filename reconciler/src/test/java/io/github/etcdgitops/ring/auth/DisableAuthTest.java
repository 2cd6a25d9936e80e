package io.github.etcdgitops.ring.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import org.junit.jupiter.api.Test;

class DisableAuthTest {
    @Test
    void alwaysNeedsAnApproval() {
        var disabling = new DisableAuth(
                new ClusterRef("demo", "orders"), Users.known(Users.APP).orElseThrow());
        assertThat(disabling.consent()).isEqualTo(Consent.NEEDED);
        assertThat(disabling.risk()).isEqualTo(Risk.HIGH);
        assertThat(StepOrder.names(disabling)).containsExactly("SwitchOff", "NoteUsers");
    }
}
