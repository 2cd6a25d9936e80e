package io.github.etcdgitops.sandbox.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.sandbox.fault.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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

/// How other commands speak to a running sandbox: on loopback, with a token that only the owner of its folder can read.
/// Apart from the Kubernetes API, which may be down on request.
final class Control implements AutoCloseable {
    private static final String TOKEN = "Sandbox-Token";
    private static final String EXIT = "Sandbox-Exit";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpServer server;
    private final String token;

    /// What can be asked of a sandbox. Words that make no sense are an IllegalArgumentException.
    interface Asked {
        void fault(Fault fault);

        int exec(List<String> words, OutputStream output) throws IOException, InterruptedException;

        void stop();
    }

    /// What came of it: an exit code, and text.
    private record Outcome(int exit, ByteArrayOutputStream text) {
        static Outcome done() {
            return new Outcome(0, new ByteArrayOutputStream());
        }
    }

    private interface Act {
        Outcome on(List<String> words) throws IOException, InterruptedException;
    }

    private Control(HttpServer server, String token) {
        this.server = server;
        this.token = token;
    }

    static Control serve(String token, Asked asked) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var control = new Control(server, token);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        control.on("/fault", words -> {
            asked.fault(Fault.parse(words));
            return Outcome.done();
        });
        control.on("/exec", words -> {
            var output = new ByteArrayOutputStream();
            int exit = asked.exec(words, output);
            return new Outcome(exit, output);
        });
        control.on("/stop", _ -> {
            asked.stop();
            return Outcome.done();
        });
        server.start();
        return control;
    }

    int port() {
        return server.getAddress().getPort();
    }

    static void ask(Home.Running running, String what, List<String> words) throws IOException, InterruptedException {
        send(running, what, words);
    }

    /// Returns the command's exit code.
    static int exec(Home.Running running, List<String> words, OutputStream output)
            throws IOException, InterruptedException {
        var answer = send(running, "exec", words);
        output.write(answer.body());
        output.flush();
        return Integer.parseInt(answer.headers().firstValue(EXIT).orElse("1"));
    }

    /// Throws IOException, for people to read, when the sandbox refuses.
    private static HttpResponse<byte[]> send(Home.Running running, String what, List<String> words)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + "/" + what))
                .header(TOKEN, running.token())
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(String.join("\0", words)))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new IOException(new String(answer.body(), StandardCharsets.UTF_8));
            }
            return answer;
        }
    }

    private void on(String path, Act act) {
        server.createContext(path, exchange -> {
            try (exchange) {
                answer(exchange, act);
            }
        });
    }

    private void answer(HttpExchange exchange, Act act) throws IOException {
        String given = exchange.getRequestHeaders().getFirst(TOKEN);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (given == null || !MessageDigest.isEqual(bytes(given), bytes(token))) {
            say(exchange, 403, bytes("the token of this sandbox is another one"));
            return;
        }
        try {
            var outcome = act.on(body.isEmpty() ? List.of() : List.of(body.split("\0")));
            exchange.getResponseHeaders().add(EXIT, Integer.toString(outcome.exit()));
            say(exchange, 200, outcome.text().toByteArray());
        } catch (IllegalArgumentException e) {
            say(exchange, 400, bytes(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            say(exchange, 500, bytes("the sandbox is ending"));
        }
    }

    private static void say(HttpExchange exchange, int code, byte[] text) throws IOException {
        exchange.sendResponseHeaders(code, text.length == 0 ? -1 : text.length);
        if (text.length > 0) {
            exchange.getResponseBody().write(text);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Whoever asked for the end still gets the answer.
    @Override
    public void close() {
        server.stop(2);
    }
}
