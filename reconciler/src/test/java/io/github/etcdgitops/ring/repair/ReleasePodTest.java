package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.Risk;
import org.junit.jupiter.api.Test;

class ReleasePodTest {
    private final ReleasePod release = new ReleasePod(ORDERS, 1, "uid-5", "node-7");

    @Test
    void concernsOnePodAndWaitsForApproval() {
        assertThat(StepOrder.names(release)).containsExactly("ReleasePod");
        assertThat(release.consent()).isEqualTo(Consent.NEEDED);
        assertThat(release.risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ReleasePod(ORDERS, 1, "uid-6", "node-7").id()).isNotEqualTo(release.id());
        assertThat(new ReleasePod(ORDERS, 1, "uid-5", "node-8").id()).isEqualTo(release.id());
    }

    /// What is to be done in its place waits for it.
    @Test
    void backupComesBeforeItsChange() {
        assertThat(release.heals()).isTrue();
        assertThat(release.changesRing()).isTrue();
        assertThat(release.needsBackup()).isFalse();
    }

    @Test
    void reportsUnconfirmedEnd() {
        assertThat(release.reason()).isEqualTo("orders-1 stays Terminating because its node node-7 is unreachable");
        assertThat(release.summary()).contains("although node-7 does not confirm that it has stopped");
    }
}
