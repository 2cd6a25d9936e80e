package io.github.etcdgitops.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// The HTTP endpoints of a long-running process: GET of a few paths, for probes and for Prometheus.
public final class Endpoints implements AutoCloseable {
    private final HttpServer server;

    /// An answer to a GET.
    public record Answer(int status, String type, String text) {
        public static Answer text(int status, String text) {
            return new Answer(status, "text/plain; charset=utf-8", text + "\n");
        }

        /// Prometheus' text format.
        public static Answer metrics(String text) {
            return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", text);
        }
    }

    private Endpoints(HttpServer server) {
        this.server = server;
    }

    /// Throws IOException when the address cannot be opened.
    public static Endpoints open(InetSocketAddress address, Map<String, Supplier<Answer>> paths) throws IOException {
        var server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            var answer = paths.get(exchange.getRequestURI().getPath());
            send(
                    exchange,
                    answer == null
                            ? Answer.text(
                                    404,
                                    "there are "
                                            + paths.keySet().stream().sorted().toList())
                            : exchange.getRequestMethod().equals("GET") ? answer.get() : Answer.text(405, "GET only"));
        });
        server.start();
        return new Endpoints(server);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            var bytes = answer.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
