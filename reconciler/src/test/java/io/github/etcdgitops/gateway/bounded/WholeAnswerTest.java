package io.github.etcdgitops.gateway.bounded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WholeAnswerTest {
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/whole", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
            }
        });
        server.createContext("/begun", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write('o');
                exchange.getResponseBody().flush();
                waitUntilOver();
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
    }

    private String ask(String path) throws IOException, InterruptedException {
        return ask(path, Duration.ofSeconds(20));
    }

    private String ask(String path, Duration limit) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
                .timeout(limit)
                .build();
        try (var client = HttpClient.newHttpClient()) {
            try {
                return WholeAnswer.of(client, request, BodyHandlers.ofString()).body();
            } finally {
                client.shutdownNow();
            }
        }
    }

    @Test
    void isReadToItsEnd() throws Exception {
        assertThat(ask("/whole")).isEqualTo("ok");
    }

    /// Parallel streams keep that pool busy for as long as they like.
    @Test
    void doesNotWaitForPoolOfParallelStreams() throws Exception {
        try {
            for (int task = 0; task < 2 * ForkJoinPool.getCommonPoolParallelism(); task++) {
                ForkJoinPool.commonPool().execute(this::waitUntilOver);
            }

            assertThat(ask("/whole")).isEqualTo("ok");
        } finally {
            over.countDown();
        }
    }

    private void waitUntilOver() {
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void isGivenUpWhereItsBodyDoesNotEnd() {
        assertThatThrownBy(() -> ask("/begun", Duration.ofMillis(500))).isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void failsLikeTheClientOnRefusedConnection() {
        server.stop(0);

        assertThatThrownBy(() -> ask("/whole")).isInstanceOf(ConnectException.class);
    }
}
