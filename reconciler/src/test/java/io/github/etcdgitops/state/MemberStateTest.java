package io.github.etcdgitops.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberStateTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static MemberState at(String... urls) {
        return new MemberState(new EtcdId(1), "x", List.of(urls), List.of(), false, Observed.unknown("not asked"));
    }

    @Test
    void elevenMembersSortAsNumbers() {
        var members = IntStream.range(0, 11)
                .mapToObj(o -> new MemberState(
                        new EtcdId(100 - o),
                        "",
                        List.of("http://" + REF.memberHost(o) + ":2380"),
                        List.of(),
                        false,
                        Observed.unknown("not asked")))
                .toList();

        var ring = new RingState(new EtcdId(7), members, List.of());

        assertThat(ring.voterOrdinals(REF)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(ring.byOrdinal(REF).lastKey()).isEqualTo(10);
    }

    @Test
    void ignoresSchemeOfPeerUrl() {
        assertThat(at("https://orders-3.orders-peer.demo.svc:2381").ordinal(REF))
                .contains(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://orders-x-1.orders-x-peer.demo.svc:2380",
                "http://orders-1.orders-peer.demo2.svc:2380",
                "http://orders-1.orders-peer.demo.svc.cluster.local:2380",
                "http://my-orders-1.orders-peer.demo.svc:2380",
                "http://orders-01.orders-peer.demo.svc:2380",
                "http://orders-+1.orders-peer.demo.svc:2380",
                "http://orders--1.orders-peer.demo.svc:2380",
                "http://orders-.orders-peer.demo.svc:2380",
                "http://orders-99999999999.orders-peer.demo.svc:2380",
                "http://orders-\u0661.orders-peer.demo.svc:2380",
                "http://orders-1.orders-peer.demo.svc",
                "orders-1.orders-peer.demo.svc:2380",
                "http://10.0.0.1:2380",
                "http://[::1]:2380",
                "",
            })
    void findsNoOrdinalInForeignUrl(String url) {
        assertThat(at(url).ordinal(REF)).isEmpty();
    }

    @Test
    void memberWithoutPeerUrlsHasNoOrdinal() {
        assertThat(at().ordinal(REF)).isEmpty();
    }
}
