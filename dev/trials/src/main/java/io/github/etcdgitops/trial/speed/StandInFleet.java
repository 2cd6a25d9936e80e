package io.github.etcdgitops.trial.speed;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/// Speaks enough of the Kubernetes API, for copies of one real ring, that a run finds a whole fleet: LISTs by
/// pages, objects by name, and what the reconciler itself stores. It counts requests and bytes.
final class StandInFleet implements AutoCloseable {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;

    private final RingPattern pattern;
    private final Optional<StandInTls> tls;
    private final int first;
    private final int end;
    private final HttpServer server;
    private final Map<String, String> stored = new ConcurrentHashMap<>();
    private final SortedMap<String, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final LongAdder bytes = new LongAdder();

    private StandInFleet(RingPattern pattern, int first, int rings, Optional<StandInTls> tls) throws IOException {
        this.pattern = pattern;
        this.tls = tls;
        this.first = first;
        this.end = first + rings;
        this.server = server(tls);
    }

    private static HttpServer server(Optional<StandInTls> tls) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls.isEmpty()) {
            return HttpServer.create(address, 0);
        }
        var server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.get().api()));
        return server;
    }

    /// For so many rings from this number on.
    static StandInFleet start(RingPattern pattern, int first, int rings, Optional<StandInTls> tls) throws IOException {
        var fleet = new StandInFleet(pattern, first, rings, tls);
        fleet.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        fleet.server.createContext("/", fleet::answer);
        fleet.server.start();
        return fleet;
    }

    /// A kubeconfig that leads here.
    Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                    {"apiVersion":"v1","kind":"Config","current-context":"fleet",
                    "contexts":[{"name":"fleet","context":{"cluster":"fleet","user":"fleet"}}],
                    "clusters":[{"name":"fleet","cluster":{"server":"%s://127.0.0.1:%d"%s}}],
                    "users":[{"name":"fleet","user":{}}]}
                    """.formatted(
                        tls.isPresent() ? "https" : "http",
                        server.getAddress().getPort(),
                        tls.map(with -> ",\"certificate-authority-data\":\"" + with.authorityData() + "\"")
                                .orElse("")));
    }

    /// Since the last call, by verb and kind.
    SortedMap<String, Long> requests() {
        var counted = new TreeMap<String, Long>();
        requests.forEach((what, count) -> counted.put(what, count.sumThenReset()));
        counted.values().removeIf(count -> count == 0);
        return counted;
    }

    /// Sent since the last call.
    long bytes() {
        return bytes.sumThenReset();
    }

    /// As if a process of the reconciler had stored it. What is updated must have a version.
    void store(String path, String object) {
        stored.put(
                path,
                object.contains("\"resourceVersion\"")
                        ? object
                        : object.replaceFirst("\"metadata\" ?: ?\\{", "\"metadata\":{\"resourceVersion\":\"1\","));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String method = exchange.getRequestMethod();
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String[] parts = path.split("/");
            String name = parts[parts.length - 1];
            if (method.equals("POST") || method.equals("PUT")) {
                count(method, path);
                store(method.equals("POST") ? path + "/" + name(sent) : path, sent);
                reply(exchange, method.equals("POST") ? CREATED : OK, sent);
            } else if (pattern.kinds().contains(name)) {
                count("LIST", name);
                reply(exchange, OK, page(name, query(exchange)));
            } else if (tls.isPresent() && name.equals(RingPattern.NAME + "-client-tls")) {
                count(method, "secret");
                reply(exchange, OK, tls.get().clientSecret(parts[4]));
            } else if (pattern.plain().containsKey(path)) {
                count(method, path);
                reply(exchange, OK, pattern.plain().get(path));
            } else if (parts.length == 5 && parts[3].equals("namespaces")) {
                count(method, "namespace");
                reply(exchange, OK, """
                    {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"%s","uid":"uid-%s"}}\
                    """.formatted(name, name));
            } else {
                count(method, path);
                String found = stored.get(path);
                reply(exchange, found == null ? NOT_FOUND : OK, found == null ? missing(parts) : found);
            }
        }
    }

    private static String missing(String[] parts) {
        String name = parts[parts.length - 1];
        return """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"NotFound","code":404,
            "message":"not found","details":{"name":"%s","kind":"%s"}}\
            """.formatted(name, parts[Math.max(parts.length - 2, 0)]);
    }

    private static String name(String object) {
        return object.replaceFirst("(?s).*?\"name\" ?: ?\"([^\"]*)\".*", "$1");
    }

    private static Map<String, String> query(HttpExchange exchange) {
        var found = new TreeMap<String, String>();
        String query = exchange.getRequestURI().getQuery();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            found.put(pair.substring(0, Math.max(equals, 0)), pair.substring(equals + 1));
        }
        return found;
    }

    private String page(String kind, Map<String, String> query) {
        int limit = Integer.parseInt(query.getOrDefault("limit", "500"));
        int ring = Integer.parseInt(query.getOrDefault("continue", Integer.toString(first)));
        var items = new StringBuilder();
        int objects = 0;
        while (ring < end && objects < limit) {
            for (var object : pattern.objects(kind)) {
                items.append(objects++ == 0 ? "" : ",");
                object.append(items, ring);
            }
            ring++;
        }
        return "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\""
                + (ring < end ? ",\"continue\":\"" + ring + "\"" : "") + "},\"items\":[" + items + "]}";
    }

    private void count(String verb, String what) {
        requests.computeIfAbsent(verb + " " + what, _ -> new LongAdder()).increment();
    }

    private void reply(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        bytes.add(body.length);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
