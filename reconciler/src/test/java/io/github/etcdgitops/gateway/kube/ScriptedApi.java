package io.github.etcdgitops.gateway.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// An API server on loopback that answers what a test says, for what a real one does only on a bad day.
final class ScriptedApi implements AutoCloseable {
    /// A code below 100 means: no answer, the connection is cut (0) or kept waiting (1).
    record Answer(int code, String body) {
        static final Answer CUT = new Answer(0, "");
        static final Answer SILENCE = new Answer(1, "");
    }

    record Asked(String method, String uri, String accept, String body) {}

    private final HttpServer server;
    private final KubeConnection connection;
    private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final List<String> headers = new CopyOnWriteArrayList<>();
    private final List<String> users = new CopyOnWriteArrayList<>();
    private volatile Function<Asked, Optional<Answer>> otherwise = _ -> Optional.empty();

    ScriptedApi(List<String> namespaces) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        connection = KubeConnection.of(
                new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build(),
                new KubeConnection.Settings(
                        Optional.empty(),
                        Optional.empty(),
                        namespaces,
                        8,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(6)));
    }

    ScriptedApi answering(int code, String body) {
        script.add(new Answer(code, body));
        return this;
    }

    ScriptedApi answering(Answer answer) {
        script.add(answer);
        return this;
    }

    void otherwise(Function<Asked, Optional<Answer>> answers) {
        otherwise = answers;
    }

    KubeConnection connection() {
        return connection;
    }

    KubeApi api() {
        return connection.own();
    }

    RingApis rings() {
        return connection.rings();
    }

    /// Who each request was made as; empty for this connection itself.
    List<String> users() {
        return users;
    }

    /// Names of all headers that were sent.
    List<String> headers() {
        return headers;
    }

    List<Asked> asked() {
        return asked;
    }

    private void handle(HttpExchange exchange) throws IOException {
        var question = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getOrDefault("Accept", List.of()).toString(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        asked.add(question);
        headers.addAll(exchange.getRequestHeaders().keySet());
        users.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Impersonate-User"))
                .orElse(""));
        Answer next = script.poll();
        Answer answer =
                next != null ? next : otherwise.apply(question).orElse(new Answer(500, "nothing left in the script"));
        if (answer.equals(Answer.SILENCE)) {
            return;
        }
        if (answer.code() >= 100) {
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        connection.close();
        server.stop(0);
    }
}
