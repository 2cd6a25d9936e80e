package io.github.etcdgitops.ring.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import org.junit.jupiter.api.Test;

class SettleAdoptionTest {
    private static final SettleAdoption SETTLING =
            new SettleAdoption(new ClusterRef("demo", "orders"), 3, Transport.PLAIN);

    @Test
    void forgetsTheFormerUrlsBeforeItSaysSo() {
        assertThat(SETTLING.steps())
                .startsWith(
                        new TlsStep.AdvertisePeers(0, Transport.PLAIN),
                        new TlsStep.AdvertisePeers(1, Transport.PLAIN),
                        new TlsStep.AdvertisePeers(2, Transport.PLAIN))
                .endsWith(new AdoptStep.CloseAdoption());
    }

    /// Somebody else's object is refused by whatever applies ours.
    @Test
    void takesTheServiceBeforeItIsWritten() {
        assertThat(StepOrder.first(SETTLING, AdoptStep.TakeService.class))
                .isEqualTo(StepOrder.first(SETTLING, ObjectStep.ApplyObjects.class) - 1);
    }

    @Test
    void restartsNoMember() {
        assertThat(SETTLING.steps()).noneMatch(RollStep.class::isInstance);
        assertThat(SETTLING.risk()).isEqualTo(Risk.LOW);
    }
}
