package io.github.etcdgitops.ring.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MigrateTlsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Transport MIXED = new Transport(Mode.MIXED, Mode.MIXED);
    private static final Transport MUTUAL = new Transport(Mode.MUTUAL, Mode.MUTUAL);

    private static MigrateTls migration(Transport from, Transport to) {
        var former = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>()).with(from);
        return new MigrateTls(
                ORDERS,
                new Roll(3, 3, former, Blueprints.of(former.with(to)), Duration.ZERO),
                Tls.NONE.with(to),
                0,
                List.of());
    }

    @Test
    void certificatesAreThereBeforeAnythingIsBegun() {
        assertThat(StepOrder.names(migration(Transport.PLAIN, MIXED)))
                .startsWith("IssueCertificates", "ApplyObjects", "BeginRoll");
    }

    @Test
    void returnToPlainTextNeedsNoBackup() {
        assertThat(StepOrder.names(migration(MIXED, Transport.PLAIN))).doesNotContain("IssueCertificates");
    }

    /// Nobody is restarted before the others know where to find it, and nobody is the next one before
    /// it was called.
    @Test
    void eachMemberIsAdvertisedRestartedAndCalledBeforeTheNext() {
        var steps = migration(MIXED, MUTUAL).steps();

        for (int ordinal = 0; ordinal < 3; ordinal++) {
            int advertised = steps.indexOf(new TlsStep.AdvertisePeers(ordinal, MUTUAL));
            int restarted = steps.indexOf(new RollStep.RestartMember(ordinal));
            int proved = steps.indexOf(new TlsStep.ProveTransport(ordinal, MUTUAL));
            assertThat(List.of(advertised, restarted, proved)).isSorted().doesNotContain(-1);
            if (ordinal > 0) {
                assertThat(proved).isLessThan(steps.indexOf(new TlsStep.AdvertisePeers(ordinal - 1, MUTUAL)));
            }
        }
    }

    @Test
    void clientsAloneMoveWithoutAnotherPeerUrl() {
        var names = StepOrder.names(migration(Transport.PLAIN, new Transport(Mode.PLAIN, Mode.MIXED)));

        assertThat(names).contains("ProveTransport").doesNotContain("AdvertisePeers");
    }

    @Test
    void publishesAddressesLast() {
        var steps = migration(Transport.PLAIN, MIXED).steps();

        assertThat(steps.getLast()).isInstanceOf(ObjectStep.SetBudget.class);
        assertThat(steps.get(steps.size() - 2)).isInstanceOf(ObjectStep.ApplyObjects.class);
        assertThat(steps.get(steps.size() - 3)).isInstanceOf(RollStep.FinishRoll.class);
    }

    @Test
    void bothHalvesAreOperationsOfTheirOwn() {
        assertThat(migration(Transport.PLAIN, MIXED).id())
                .isNotEqualTo(migration(MIXED, MUTUAL).id());
    }

    @Test
    void takesBackupFirst() {
        assertThat(migration(Transport.PLAIN, MIXED).needsBackup()).isTrue();
        assertThat(migration(Transport.PLAIN, MIXED).risk()).isEqualTo(Risk.MEDIUM);
    }
}
