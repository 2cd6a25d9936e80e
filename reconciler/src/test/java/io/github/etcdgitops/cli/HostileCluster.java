package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/// An API server with one ring, `demo/orders`, in whose objects somebody has written wherever there is text. It takes
/// every object that it is sent, and refuses every other change with the same text.
final class HostileCluster implements AutoCloseable {
    /// Escapes whatever is not ASCII, so that half of a surrogate pair arrives.
    static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final Path MANIFESTS = Path.of("src/test/resources/golden/manifests");

    /// By these the objects are found, or an API server would have them no other way.
    private static final Set<String> KEPT = Set.of(
            "apiVersion", "kind", "name", "namespace", "labels", "matchLabels", "selector", "resourceVersion", "uid");

    /// Texts of the journal that have no form.
    private static final Set<String> FREE = Set.of(
            "reason", "operation", "operationId", "from", "request", "unreadable", "seen", "machine", "pod", "token");

    private final HttpServer server;
    private final String text;
    private final Set<String> written;
    private final List<ObjectNode> objects = new ArrayList<>();
    private final List<JsonNode> created = new CopyOnWriteArrayList<>();

    /// Writes `text` into all objects of the kinds in `written`, and into annotations and status of the others. Of
    /// `suspended` and `journal`, too, where they are named: the annotation, and what is inside of the journal.
    HostileCluster(String text, Set<String> written) {
        this.text = text;
        this.written = written;
        try {
            for (String file : List.of("budget", "client-service", "connection", "network-policy", "peer-service")) {
                add(manifest(file));
            }
            var set = manifest("stateful-set");
            add(set.deepCopy());
            add(journal());
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                add(pod(ordinal, set.at("/spec/template")));
            }
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

    Path kubeconfig(Path file) throws IOException {
        return Files.writeString(file, """
            apiVersion: v1
            kind: Config
            clusters: [{name: one, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: me, user: {}}]
            contexts: [{name: here, context: {cluster: one, user: me}}]
            current-context: here
            """.formatted(server.getAddress().getPort()));
    }

    /// What it was sent to be created, Events for example.
    Stream<JsonNode> created(String kind) {
        return created.stream().filter(object -> object.path("kind").asText().equals(kind));
    }

    private static JsonNode manifest(String name) throws IOException {
        var file = MANIFESTS.resolve("objects/full/" + name + ".yaml");
        return new YAMLMapper().readTree(Files.readString(file).replace("shop", "demo"));
    }

    private ObjectNode journal() throws IOException {
        var journal = object("ConfigMap", "v1", "orders-journal");
        var content = (ObjectNode) JSON.readTree(Files.readString(MANIFESTS.resolve("journal/full.json")));
        // Of a ring that is there, and in which nothing is under way.
        content.remove(List.of("remains", "intent", "adopted"));
        if (written.contains("journal")) {
            FREE.forEach(field -> content.findParents(field).forEach(parent -> ((ObjectNode) parent).put(field, text)));
        }
        journal.putObject("data").put("journal.json", JSON.writeValueAsString(content));
        return journal;
    }

    private static ObjectNode object(String kind, String version, String name) {
        var object = JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
        object.putObject("metadata")
                .put("name", name)
                .put("namespace", "demo")
                .put("uid", "uid-" + name)
                .put("resourceVersion", "1")
                .putObject("labels")
                .put("etcdgitops.dev/cluster", "orders")
                .put("app.kubernetes.io/instance", "orders")
                .put("app.kubernetes.io/name", "etcd")
                .put("app.kubernetes.io/managed-by", "etcd-gitops");
        return object;
    }

    private ObjectNode pod(int ordinal, JsonNode template) {
        var pod = object("Pod", "v1", "orders-" + ordinal);
        pod.set("spec", template.path("spec").deepCopy());
        var status = pod.putObject("status")
                .put("phase", "Pending")
                .put("message", "m")
                .put("reason", "r");
        status.putArray("conditions")
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("reason", "Unschedulable")
                .put("message", "m");
        var container = status.putArray("containerStatuses")
                .addObject()
                .put("name", "etcd")
                .put("image", "i");
        container.put("ready", false).put("restartCount", 7);
        container
                .putObject("state")
                .putObject("waiting")
                .put("reason", "ImagePullBackOff")
                .put("message", "m");
        container
                .putObject("lastState")
                .putObject("terminated")
                .put("reason", "Error")
                .put("exitCode", 1)
                .put("message", "m");
        return pod;
    }

    private void add(JsonNode read) {
        var object = (ObjectNode) read;
        var metadata = (ObjectNode) object.path("metadata");
        metadata.put("uid", "uid-" + metadata.path("name").asText()).put("resourceVersion", "1");
        var annotations = metadata.withObject("/annotations");
        annotations.put("example.org/other", text);
        if (written.contains("suspended")) {
            annotations.put("etcdgitops.dev/suspend", text);
        }
        if (written.contains(object.path("kind").asText())) {
            write(object);
        } else if (object.has("status")) {
            write(object.path("status"));
        }
        objects.add(object);
    }

    private void write(JsonNode node) {
        switch (node) {
            case ObjectNode object ->
                object.properties().stream().map(e -> e.getKey()).toList().forEach(key -> {
                    if (object.get(key) instanceof TextNode && !KEPT.contains(key)) {
                        object.put(key, text);
                    } else if (!KEPT.contains(key)) {
                        write(object.get(key));
                    }
                });
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    if (array.get(i) instanceof TextNode) {
                        array.set(i, text);
                    } else {
                        write(array.get(i));
                    }
                }
            }
            default -> {}
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        switch (exchange.getRequestMethod()) {
            case "GET" -> look(exchange, path);
            case "POST" -> {
                var sent = JSON.readTree(body);
                created.add(sent);
                if (path.endsWith("reviews")) {
                    say(exchange, 201, JSON.readTree("{\"status\":{\"allowed\":true}}"));
                } else {
                    say(exchange, 201, sent);
                }
            }
            default -> refuse(exchange, 422, "Invalid");
        }
    }

    private void look(HttpExchange exchange, String path) throws IOException {
        String plural = path.substring(path.lastIndexOf('/') + 1);
        var named =
                objects.stream().filter(object -> plural(object).equals(plural)).toList();
        var one = objects.stream()
                .filter(object -> path.endsWith(
                        "/" + plural(object) + "/" + object.at("/metadata/name").asText()))
                .findFirst();
        if (path.equals("/version")) {
            say(exchange, 200, JSON.createObjectNode().put("gitVersion", "v1.31.2" + text));
        } else if (path.equals("/apis")) {
            say(exchange, 200, JSON.readTree("""
                {"groups":[{"versions":[{"groupVersion":"apps/v1"},{"groupVersion":"coordination.k8s.io/v1"},
                {"groupVersion":"networking.k8s.io/v1"},{"groupVersion":"policy/v1"}]}]}\
                """));
        } else if (path.matches("/api/v1/namespaces/[a-z-]+")) {
            var namespace = JSON.createObjectNode();
            namespace
                    .putObject("metadata")
                    .put("name", plural)
                    .put("uid", "u-1")
                    .putObject("annotations")
                    .put("a", text);
            say(exchange, 200, namespace);
        } else if (one.isPresent()) {
            say(exchange, 200, one.get());
        } else if (!EchoServer.isOneObject(path)) {
            var list = JSON.createObjectNode();
            list.putObject("metadata");
            list.putArray("items").addAll(named);
            say(exchange, 200, list);
        } else {
            refuse(exchange, 404, "NotFound");
        }
    }

    private static String plural(JsonNode object) {
        String kind = object.path("kind").asText().toLowerCase(java.util.Locale.ROOT);
        return kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s";
    }

    private void refuse(HttpExchange exchange, int code, String reason) throws IOException {
        var status = JSON.createObjectNode()
                .put("kind", "Status")
                .put("reason", reason)
                .put("code", code);
        String path = exchange.getRequestURI().getPath();
        status.put("message", text).putObject("details").put("name", path.substring(path.lastIndexOf('/') + 1));
        say(exchange, code, status);
    }

    private static void say(HttpExchange exchange, int code, JsonNode answer) throws IOException {
        byte[] body = JSON.writeValueAsString(answer).getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
