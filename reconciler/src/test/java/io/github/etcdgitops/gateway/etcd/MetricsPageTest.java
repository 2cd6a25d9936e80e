package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    @Test
    void ignoresFormerVersionWithValueZero() {
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

    @Test
    void revisionIsReadFromItsFigure() {
        assertThat(page("etcd_debugging_mvcc_current_revision 4711\n").revision())
                .isEqualTo(4711);
        assertThat(page("etcd_debugging_mvcc_current_revision 1.2345678901e+10\n")
                        .revision())
                .isEqualTo(12_345_678_901L);
        assertThat(catchThrowableOfType(
                                GatewayException.class,
                                () -> page("etcd_debugging_mvcc_compact_revision 5\n")
                                        .revision())
                        .kind())
                .isEqualTo(Kind.REJECTED);
    }

    /// As members of 3.3 print it. A GET may be our own.
    @Test
    void writesThroughTheV2ApiAreCountedWithoutReads() {
        assertThat(page("""
                        etcd_http_received_total{method="GET"} 4
                        etcd_http_received_total{method="PUT"} 1.5e+06
                        etcd_http_received_total{method="DELETE"} 2
                        etcd_http_received_total{method="POST"} 1
                        etcd_http_failed_total{code="404",method="PUT"} 9
                        """).v2Writes()).isEqualTo(1_500_003);
        assertThat(page("etcd_server_is_leader 1\n").v2Writes()).isZero();
    }

    /// As a member of 3.7.1 prints it. A gate that is not known here is left out.
    @Test
    void settingsAreReadFromTheirFigures() {
        var settings = page("""
                etcd_server_feature_enabled{name="CompactHashCheck",stage="ALPHA"} 1
                etcd_server_feature_enabled{name="FastLeaseKeepAlive",stage="BETA"} 1
                etcd_server_feature_enabled{name="StopGRPCServiceOnDefrag",stage="ALPHA"} 0
                etcd_server_quota_backend_bytes 3.221225472e+09
                """).settings();

        assertThat(settings.quota()).contains(3L << 30);
        assertThat(settings.features())
                .isEqualTo(
                        Map.of(FeatureGate.COMPACT_HASH_CHECK, true, FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG, false));
    }

    @Test
    void figureThatIsNotSetYetTellsNoQuota() {
        assertThat(page("etcd_server_quota_backend_bytes 0\n").settings().quota())
                .isEmpty();
        assertThat(page("").settings()).isEqualTo(new SettingsInUse(Optional.empty(), Map.of()));
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

        assertThat(page.connections().orElseThrow().active()).containsExactly(EtcdId.parse("f9e86e27271191"));
    }

    @Test
    void callsThatWereNotedAreCountedByPeer() {
        var page = page("""
            etcd_network_peer_round_trip_time_seconds_bucket{To="86916cc4c60261f6",le="+Inf"} 7
            etcd_network_peer_round_trip_time_seconds_sum{To="86916cc4c60261f6"} 0.0026
            etcd_network_peer_round_trip_time_seconds_count{To="86916cc4c60261f6"} 12
            etcd_server_version{server_version="3.5.16"} 1
            """);

        var connections = page.connections().orElseThrow();
        assertThat(connections.probesOf(EtcdId.parse("86916cc4c60261f6"))).isEqualTo(12);
        assertThat(connections.probesOf(EtcdId.parse("1"))).isZero();
    }

    /// Where nobody was met yet there is no line of it: which servers count tells their version.
    @Test
    void missingPeerMetricIsUnknownNotZero() {
        assertThat(page("etcd_server_version{server_version=\"3.3.25\"} 1\n").connections())
                .isEmpty();
        assertThat(page("etcd_server_version{server_version=\"3.4.23\"} 1\n").connections())
                .contains(new PeerConnections(Set.of(), Map.of()));
        assertThat(page("").connections()).isEmpty();
    }

    /// Large numbers have an exponent.
    @Test
    void leaderTellsWhatItHasHeard() {
        var before = page("""
            etcd_network_peer_received_bytes_total{From="0"} 672
            etcd_network_peer_received_bytes_total{From="417a7478df1f1885"} 2125
            etcd_network_peer_received_bytes_total{From="7f03518ba71e2b1d"} 1.234567e+06
            etcd_server_is_leader 1
            etcd_server_leader_changes_seen_total 2
            """).heard();
        var after = page("""
            etcd_network_peer_received_bytes_total{From="417a7478df1f1885"} 2125
            etcd_network_peer_received_bytes_total{From="7f03518ba71e2b1d"} 1.234578e+06
            etcd_server_is_leader 1
            etcd_server_leader_changes_seen_total 2
            """).heard();

        assertThat(before.bytes()).containsEntry(EtcdId.parse("7f03518ba71e2b1d"), 1_234_567L);
        assertThat(after.misses(EtcdId.parse("417a7478df1f1885"), before)).isTrue();
        assertThat(after.misses(EtcdId.parse("7f03518ba71e2b1d"), before)).isFalse();
        assertThat(after.heardFrom(EtcdId.parse("7f03518ba71e2b1d"), before)).isTrue();
    }

    @Test
    void silenceCountsOnlyWhileOneLeads() {
        var peer = EtcdId.parse("417a7478df1f1885");
        var leads = hears(1, 2, 100);
        var follows = hears(0, 3, 200);
        var leadsAgain = hears(1, 4, 300);

        assertThat(hears(1, 2, 400).misses(peer, leads)).isTrue();
        assertThat(follows.misses(peer, leads)).isFalse();
        assertThat(hears(0, 3, 500).misses(peer, follows)).isFalse();
        assertThat(leadsAgain.misses(peer, leads)).isFalse();
        assertThat(page("").heard().leads()).isFalse();
    }

    /// Nobody knows then what an etcd counts.
    @Test
    void silenceOfAllIsNotThatOfOne() {
        var peer = EtcdId.parse("417a7478df1f1885");
        var uncounted = page("etcd_server_is_leader 1\n").heard();

        assertThat(uncounted.ledSince(uncounted)).isTrue();
        assertThat(uncounted.misses(peer, uncounted)).isFalse();
        assertThat(hears(1, 2, 100).misses(peer, hears(1, 2, 100))).isFalse();
    }

    private static PeerConnections.Heard hears(int leads, int leaders, int bytesOfAnother) {
        return page("etcd_network_peer_received_bytes_total{From=\"7f03518ba71e2b1d\"} " + bytesOfAnother
                        + "\netcd_server_is_leader " + leads
                        + "\netcd_server_leader_changes_seen_total " + leaders + "\n")
                .heard();
    }

    private static MetricsPage page(String text) {
        return new MetricsPage("asking", text);
    }
}
