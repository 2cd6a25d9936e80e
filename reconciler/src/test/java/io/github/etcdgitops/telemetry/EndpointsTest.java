package io.github.etcdgitops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.telemetry.Endpoints.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndpointsTest {
    @Test
    void answersItsPathsAndNoOthers() throws Exception {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var endpoints = Endpoints.open(
                        address,
                        Map.of("/healthz", () -> Answer.text(503, "late"), "/metrics", () -> Answer.metrics("m 1\n")));
                var client = HttpClient.newHttpClient()) {
            String root = "http://127.0.0.1:" + endpoints.port();

            var health = client.send(
                    HttpRequest.newBuilder(URI.create(root + "/healthz")).build(), BodyHandlers.ofString());
            var metrics = client.send(
                    HttpRequest.newBuilder(URI.create(root + "/metrics")).build(), BodyHandlers.ofString());
            var other = client.send(
                    HttpRequest.newBuilder(URI.create(root + "/etc")).build(), BodyHandlers.ofString());
            var post = client.send(
                    HttpRequest.newBuilder(URI.create(root + "/healthz"))
                            .POST(BodyPublishers.ofString("x"))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).isEqualTo("late\n");
            assertThat(metrics.body()).isEqualTo("m 1\n");
            assertThat(metrics.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(other.statusCode()).isEqualTo(404);
            assertThat(post.statusCode()).isEqualTo(405);
        }
    }
}
