package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// As much of an API server as a run asks before it looks at rings: namespaces, and ConfigMaps. It says that it cannot
/// tell when it is asked for rings, unless it is `empty` and says that it has none.
final class TinyKubernetes implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> LISTS = Map.of(
            "statefulsets", "StatefulSet",
            "pods", "Pod",
            "services", "Service",
            "configmaps", "ConfigMap",
            "persistentvolumeclaims", "PersistentVolumeClaim",
            "poddisruptionbudgets", "PodDisruptionBudget",
            "networkpolicies", "NetworkPolicy",
            "nodes", "Node",
            "storageclasses", "StorageClass",
            "controllerrevisions", "ControllerRevision");

    private final HttpServer server;
    volatile boolean empty;
    final Map<String, ObjectNode> configMaps = new ConcurrentHashMap<>();

    TinyKubernetes() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            }
        });
        server.start();
    }

    Path kubeconfig(Path file) throws IOException {
        return Files.writeString(file, """
                        apiVersion: v1
                        kind: Config
                        current-context: tiny
                        contexts: [{name: tiny, context: {cluster: tiny, user: tiny}}]
                        clusters: [{name: tiny, cluster: {server: "http://127.0.0.1:%d"}}]
                        users: [{name: tiny, user: {}}]
                        """.formatted(server.getAddress().getPort()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (path.equals("/version")) {
            say(exchange, 200, "{\"major\":\"1\",\"minor\":\"30\",\"gitVersion\":\"v1.30.0\"}");
        } else if (path.endsWith("/configmaps") && exchange.getRequestMethod().equals("POST")) {
            write(exchange, body);
        } else if (path.contains("/configmaps/") && exchange.getRequestMethod().equals("PUT")) {
            write(exchange, body);
        } else if (configMaps.containsKey(name)) {
            say(exchange, 200, JSON.writeValueAsString(configMaps.get(name)));
        } else if (path.matches("/api/v1/namespaces/[a-z-]+")) {
            say(exchange, 200, "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"u-1\"}}");
        } else if (empty && LISTS.containsKey(name)) {
            String group = path.replaceAll("^/apis?/(.*?)(/namespaces/.*)?/" + name + "$", "$1");
            say(
                    exchange,
                    200,
                    "{\"kind\":\"" + LISTS.get(name) + "List\",\"apiVersion\":\"" + group
                            + "\",\"metadata\":{},\"items\":[]}");
        } else if (empty || path.contains("/configmaps/")) {
            say(exchange, 404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"" + name + "\"}}");
        } else {
            say(exchange, 403, "{\"kind\":\"Status\"}");
        }
    }

    private void write(HttpExchange exchange, byte[] body) throws IOException {
        var object = (ObjectNode) JSON.readTree(body);
        object.withObjectProperty("metadata").put("resourceVersion", "" + System.nanoTime());
        configMaps.put(object.path("metadata").path("name").asText(), object);
        say(exchange, 200, JSON.writeValueAsString(object));
    }

    private static void say(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
