package io.github.etcdgitops.ring.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RotateCertificatesTest {
    private static final Instant END = Instant.parse("2026-11-22T03:15:00Z");

    private static RotateCertificates renewal(Instant end) {
        return new RotateCertificates(
                new ClusterRef("demo", "orders"),
                3,
                Tls.NONE.with(new Transport(Mode.MUTUAL, Mode.MUTUAL)),
                Authorities.FIRST,
                end);
    }

    @Test
    void everyMemberShowsTheNewOnesAtTheEnd() {
        assertThat(StepOrder.names(renewal(END)))
                .containsExactly("IssueCertificates", "AwaitCertificates", "AwaitCertificates", "AwaitCertificates");
    }

    /// Members whose certificates have ended refuse everybody.
    @Test
    void noRingThatAnswersIsNeeded() {
        assertThat(renewal(END).steps()).extracting(Step::gate).doesNotContain(Step.Gate.GREEN, Step.Gate.EXPECTED);
    }

    @Test
    void blocksNoOtherOperation() {
        assertThat(renewal(END).changesRing()).isFalse();
        assertThat(renewal(END).heals()).isTrue();
    }

    @Test
    void givesNextRenewalAnotherId() {
        assertThat(renewal(END).id()).isNotEqualTo(renewal(END.plusSeconds(1)).id());
        assertThat(renewal(END).id()).isEqualTo(renewal(END).id());
    }
}
