package io.github.etcdgitops.trial.fence;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server that the operator allows, and that has gone over to the attacker: on loopback, with any answer.
final class HostileServer implements AutoCloseable {
    /// Answers one request; the exchange is closed for it.
    @FunctionalInterface
    interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private volatile Answer answer = text(404, "text/plain", "");

    HostileServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer.give(exchange);
            } catch (IOException _) {
                // The caller hung up, as it should.
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void answers(Answer next) {
        answer = next;
    }

    static Answer text(int status, String type, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            boolean none = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, none ? -1 : bytes.length);
            if (!none) {
                exchange.getResponseBody().write(bytes);
            }
        };
    }

    static Answer redirect(int status, String where) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", where + exchange.getRequestURI());
            exchange.sendResponseHeaders(status, -1);
        };
    }

    /// So many bytes of `unit` after another, for as long as the caller reads.
    static Answer endless(String head, String unit, long bytes) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/xml");
            exchange.sendResponseHeaders(200, 0);
            var body = exchange.getResponseBody();
            body.write(head.getBytes(StandardCharsets.UTF_8));
            byte[] block = unit.repeat(1000).getBytes(StandardCharsets.UTF_8);
            for (long sent = 0; sent < bytes; sent += block.length) {
                body.write(block);
            }
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
