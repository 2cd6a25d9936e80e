package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    private static Transport both(Mode mode) {
        return new Transport(mode, mode);
    }

    @ParameterizedTest
    @CsvSource({
        "PLAIN, MUTUAL, MIXED",
        "MIXED, MUTUAL, MUTUAL",
        "MUTUAL, PLAIN, MIXED",
        "MIXED, PLAIN, PLAIN",
        "PLAIN, MIXED, MIXED",
        "PLAIN, PLAIN, PLAIN"
    })
    void mixedComesBetweenPlainAndMutual(Mode has, Mode wanted, Mode next) {
        assertThat(both(has).towards(both(wanted))).isEqualTo(both(next));
    }

    @Test
    void peersAndClientsMigrateSeparately() {
        assertThat(new Transport(Mode.MUTUAL, Mode.PLAIN).towards(both(Mode.MUTUAL)))
                .isEqualTo(new Transport(Mode.MUTUAL, Mode.MIXED));
    }

    @Test
    void reopensOnlyClosedTransport() {
        assertThat(both(Mode.MUTUAL).reopens(new Transport(Mode.MUTUAL, Mode.MIXED)))
                .isTrue();
        assertThat(both(Mode.MUTUAL).reopens(new Transport(Mode.PLAIN, Mode.MUTUAL)))
                .isTrue();
        assertThat(both(Mode.MIXED).reopens(Transport.PLAIN)).isFalse();
        assertThat(both(Mode.MUTUAL).reopens(both(Mode.MUTUAL))).isFalse();
    }

    @Test
    void plainClientsAreCutOffOnce() {
        assertThat(both(Mode.PLAIN).cutsOffPlainClients(both(Mode.MUTUAL))).isTrue();
        assertThat(both(Mode.MIXED).cutsOffPlainClients(both(Mode.MUTUAL))).isTrue();
        assertThat(both(Mode.MUTUAL).cutsOffPlainClients(both(Mode.MUTUAL))).isFalse();
        assertThat(both(Mode.PLAIN).cutsOffPlainClients(both(Mode.MIXED))).isFalse();
    }

    /// A member without certificates takes the first one.
    @Test
    void listsPlainPeerUrlFirst() {
        assertThat(both(Mode.MIXED).peerUrls(ORDERS, 2))
                .containsExactly(
                        "http://orders-2.orders-peer.demo.svc:2380", "https://orders-2.orders-peer.demo.svc:2381");
        assertThat(both(Mode.MUTUAL).peerUrls(ORDERS, 2)).containsExactly("https://orders-2.orders-peer.demo.svc:2381");
        assertThat(Transport.PLAIN.peerUrls(ORDERS, 2)).containsExactly("http://orders-2.orders-peer.demo.svc:2380");
    }
}
