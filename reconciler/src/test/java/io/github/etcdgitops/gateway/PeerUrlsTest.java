package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerUrlsTest {
    private static final String PLAIN = "http://orders-0.orders-peer.shop.svc:2380";
    private static final String TLS = "https://orders-0.orders-peer.shop.svc:2381";

    @Test
    void keepsOrderOfPeerUrls() {
        assertThat(PeerUrls.parse(List.of(PLAIN, TLS, "https://[::1]:1")))
                .containsExactly(URI.create(PLAIN), URI.create(TLS), URI.create("https://[::1]:1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders-0:2380",
                "//orders-0:2380",
                "unix://orders-0:2380",
                "HTTP://orders-0:2380",
                "http://orders-0",
                "http://orders-0:",
                "http://orders-0:0",
                "http://orders-0:65536",
                "http://:2380",
                "http://orders 0:2380",
                "http://a,b:2380",
                "http://me@orders-0:2380",
                "http://orders-0:2380/",
                "http://orders-0:2380?a",
                "http://orders-0:2380#a",
                "http:orders-0:2380",
                "http://orders-0:02380",
            })
    void refusesPeerUrlThatEtcdCannotDial(String url) {
        assertThatThrownBy(() -> PeerUrls.parse(List.of(PLAIN, url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + url + "'");
    }

    @Test
    void refusesEmptyAndRepeatedPeerUrls() {
        assertThatThrownBy(() -> PeerUrls.parse(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PeerUrls.parse(List.of(PLAIN, PLAIN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }
}
