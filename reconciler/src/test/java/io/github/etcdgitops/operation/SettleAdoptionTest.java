package io.github.etcdgitops.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.step.AdoptStep;
import io.github.etcdgitops.step.ObjectStep;
import io.github.etcdgitops.step.RollStep;
import io.github.etcdgitops.step.TlsStep;
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
    void restartsNobody() {
        assertThat(SETTLING.steps()).noneMatch(RollStep.class::isInstance);
        assertThat(SETTLING.risk()).isEqualTo(Risk.LOW);
    }
}
