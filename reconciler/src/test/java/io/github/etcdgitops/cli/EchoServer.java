package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Executors;

/// An API server without a ring, and a store without an object; or one that refuses everybody, and says back all that
/// it was told, credentials included.
final class EchoServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final StringBuffer said = new StringBuffer();
    private volatile Mood mood = Mood.WELL;
    private volatile String password = "";

    enum Mood {
        WELL(200),
        BAD_REQUEST(400),
        UNAUTHORIZED(401),
        FORBIDDEN(403),
        GONE(404),
        CONFLICT(409),
        INVALID(422),
        FAILING(500);

        private final int code;

        Mood(int code) {
            this.code = code;
        }
    }

    EchoServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void mood(Mood wanted) {
        mood = wanted;
    }

    /// What the Secret of every user and of `root` has.
    void password(String secret) {
        password = secret;
    }

    /// All that it has said back, or would have.
    String said() {
        return said.toString();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String told = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().entrySet() + " "
                + new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        said.append(told);
        var path = exchange.getRequestURI().getPath();
        boolean well = mood == Mood.WELL;
        boolean ofUser = path.matches(".*/secrets/([^/]+-user-[^/]+|[^/]+-root-auth|web)");
        int code = well && isOneObject(path) && !ofUser ? 404 : mood.code;
        String text = well
                ? ofUser ? secret(path) : code == 404 ? absent(path) : well(path)
                : JSON.writeValueAsString(
                        Map.of("kind", "Status", "reason", "Whatever", "code", code, "message", told));
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    /// `…/namespaces/NAMESPACE/PLURAL` is a list, and with a name more an object.
    static boolean isOneObject(String path) {
        var inside = path.replaceFirst("^/api/v1/|^/apis/[^/]+/[^/]+/", "");
        return !inside.startsWith("/") && !path.endsWith("/kube-system") && inside.split("/").length % 2 == 0;
    }

    private static String absent(String path) {
        return "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"" + path.replaceAll(".*/", "")
                + "\"}}";
    }

    private String secret(String path) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"" + path.replaceAll(".*/", "")
                + "\",\"resourceVersion\":\"1\"},\"data\":{\"password\":\""
                + Base64.getEncoder().encodeToString(password.getBytes(UTF_8)) + "\"}}";
    }

    private static String well(String path) {
        return switch (path) {
            case "/version" -> "{\"gitVersion\":\"v1.31.2\"}";
            case "/apis" -> """
                {"groups":[{"versions":[{"groupVersion":"apps/v1"},{"groupVersion":"coordination.k8s.io/v1"},
                {"groupVersion":"networking.k8s.io/v1"},{"groupVersion":"policy/v1"}]}]}\
                """;
            case "/apis/policy" -> "{\"versions\":[{\"version\":\"v1\"}]}";
            case "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews" -> "{\"status\":{\"allowed\":true}}";
            default ->
                path.startsWith("/api/v1/namespaces/kube-system")
                        ? "{\"metadata\":{\"name\":\"kube-system\",\"uid\":\"u-1\"}}"
                        : "{\"items\":[]}";
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
