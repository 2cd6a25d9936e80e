package io.github.etcdgitops.sandbox.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.sandbox.fault.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// How other commands speak to a running sandbox: on loopback, with a token that only the owner of its folder can read.
/// Apart from the Kubernetes API, which may be down on request.
final class Control implements AutoCloseable {
    private static final String TOKEN = "Sandbox-Token";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpServer server;
    private final String token;

    private Control(HttpServer server, String token) {
        this.server = server;
        this.token = token;
    }

    static Control serve(String token, Consumer<Fault> faults, Runnable stop) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var control = new Control(server, token);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/fault",
                exchange -> control.answer(exchange, body -> {
                    faults.accept(Fault.parse(body.isEmpty() ? List.of() : List.of(body.split("\n"))));
                }));
        server.createContext("/stop", exchange -> control.answer(exchange, _ -> stop.run()));
        server.start();
        return control;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /// Throws IOException, for people to read, when the sandbox refuses.
    static void ask(Home.Running running, String what, List<String> words) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + "/" + what))
                .header(TOKEN, running.token())
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(String.join("\n", words)))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.body());
            }
        }
    }

    private void answer(HttpExchange exchange, Consumer<String> act) throws IOException {
        try (exchange) {
            String given = exchange.getRequestHeaders().getFirst(TOKEN);
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (given == null || !MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), bytes(token))) {
                say(exchange, 403, "the token of this sandbox is another one");
                return;
            }
            try {
                act.accept(body);
                say(exchange, 200, "");
            } catch (IllegalArgumentException e) {
                say(exchange, 400, String.valueOf(e.getMessage()));
            }
        }
    }

    private static void say(HttpExchange exchange, int code, String text) throws IOException {
        exchange.sendResponseHeaders(code, text.isEmpty() ? -1 : bytes(text).length);
        if (!text.isEmpty()) {
            exchange.getResponseBody().write(bytes(text));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        // Whoever asked for the end still gets the answer.
        server.stop(2);
    }
}
