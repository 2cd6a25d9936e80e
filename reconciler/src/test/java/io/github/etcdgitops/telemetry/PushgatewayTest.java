package io.github.etcdgitops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PushgatewayTest {
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void followsNoRedirect(int status) throws IOException {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var arrived = new AtomicInteger();
        var other = HttpServer.create(here, 0);
        other.createContext("/", exchange -> {
            try (exchange) {
                arrived.incrementAndGet();
                exchange.sendResponseHeaders(200, -1);
            }
        });
        var gateway = HttpServer.create(here, 0);
        gateway.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders()
                        .set(
                                "Location",
                                "http://127.0.0.1:" + other.getAddress().getPort() + "/");
                exchange.sendResponseHeaders(status, -1);
            }
        });
        other.start();
        gateway.start();
        try {
            var url = URI.create("http://127.0.0.1:" + gateway.getAddress().getPort());

            assertThat(MetricsOut.toPushgateway("m 1\n", url, "production"))
                    .hasValue("the Pushgateway answered the metrics with HTTP " + status);
            assertThat(arrived).hasValue(0);
        } finally {
            gateway.stop(0);
            other.stop(0);
        }
    }

    @Test
    void leavesAGatewayWhoseAnswerDoesNotEnd() throws IOException {
        var over = new CountDownLatch(1);
        var gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write('o');
                exchange.getResponseBody().flush();
                over.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        gateway.start();
        try {
            var url = URI.create("http://127.0.0.1:" + gateway.getAddress().getPort());

            assertThat(MetricsOut.toPushgateway("m 1\n", url, "production"))
                    .hasValue("the Pushgateway could not be reached (HttpTimeoutException)");
        } finally {
            over.countDown();
            gateway.stop(0);
        }
    }
}
