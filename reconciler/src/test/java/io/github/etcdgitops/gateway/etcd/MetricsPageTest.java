package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    @Test
    void aLineWhoseTimeIsOverStaysWithNought() {
        var page = page("""
                # HELP etcd_cluster_version Which version is running. 1 for 'cluster_version' label with current cluster version
                # TYPE etcd_cluster_version gauge
                etcd_cluster_version{cluster_version="3.4"} 0
                etcd_cluster_version{cluster_version="3.5"} 1
                """);

        assertThat(page.clusterVersion()).isEqualTo(new EtcdVersion(3, 5, 0));
    }

    @Test
    void noVersionIsAgreedOnBeforeThereIsALine() {
        var none = catchThrowableOfType(
                GatewayException.class,
                () -> page("etcd_cluster_version{cluster_version=\"3.4\"} 0\n").clusterVersion());

        assertThat(none.kind()).isEqualTo(Kind.REJECTED);
        assertThat(none).hasMessage("asking: the members have not agreed on one");
    }

    /// Ids are printed without the noughts they begin with.
    @Test
    void connectionsThatAreUpCount() {
        var page = page("""
                etcd_network_active_peers{Local="985bd00ab4f8a9dc",Remote="86916cc4c60261f6"} 0
                etcd_network_active_peers{Local="985bd00ab4f8a9dc",Remote="f9e86e27271191"} 1
                etcd_network_disconnected_peers_total{Local="985bd00ab4f8a9dc",Remote="86916cc4c60261f6"} 1
                etcd_server_version{server_version="3.4.23"} 1
                """);

        assertThat(page.activePeers()).contains(Set.of(EtcdId.parse("f9e86e27271191")));
    }

    /// Where nobody was met yet there is no line of it: which servers count tells their version.
    @Test
    void aServerThatDoesNotCountIsNotOneThatIsAlone() {
        assertThat(page("etcd_server_version{server_version=\"3.3.25\"} 1\n").activePeers())
                .isEmpty();
        assertThat(page("etcd_server_version{server_version=\"3.4.23\"} 1\n").activePeers())
                .isEqualTo(Optional.of(Set.of()));
        assertThat(page("").activePeers()).isEmpty();
    }

    private static MetricsPage page(String text) {
        return new MetricsPage("asking", text);
    }
}
