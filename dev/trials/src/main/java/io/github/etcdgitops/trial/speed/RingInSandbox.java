package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.trial.bench.Command;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;

/// A real ring, from which a [RingPattern] is taken.
final class RingInSandbox {
    private static final String NAMESPACE = "pattern";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> PATHS = List.of(
            "/apis/apps/v1/statefulsets",
            "/api/v1/pods",
            "/api/v1/persistentvolumeclaims",
            "/api/v1/configmaps",
            "/api/v1/services",
            "/apis/policy/v1/poddisruptionbudgets",
            "/apis/networking.k8s.io/v1/networkpolicies");

    private RingInSandbox() {}

    /// Starts one ring in a sandbox, and copies its objects.
    static RingPattern pattern(Path folder, int members, boolean tls) throws IOException, InterruptedException {
        String sandbox = Measuring.root().resolve("sandbox/sandbox").toString();
        String there = folder.resolve("sandbox").toString();
        System.err.println("benchmarks: starting one ring in a sandbox, as the pattern…");
        Command.run(folder, sandbox, "up", "--dir", there);
        try {
            Path kubeconfig = folder.resolve("sandbox").resolve("kubeconfig");
            var documents = FleetDocuments.write(folder.resolve("pattern"), List.of(NAMESPACE), members, 0, tls);
            var environment = new HashMap<>(
                    FleetDocuments.environment(documents, Files.createDirectory(folder.resolve("pattern-cache"))));
            environment.put("KUBECONFIG", kubeconfig.toString());
            Measuring.tool("the first run", environment, "reconcile").run();
            return read(server(kubeconfig), members);
        } finally {
            Command.run(folder, sandbox, "down", "--dir", there);
        }
    }

    private static String server(Path kubeconfig) throws IOException {
        String text = Files.readString(kubeconfig);
        return text.replaceFirst("(?s).*server: \"(http://[^\"]*)\".*", "$1");
    }

    /// From the API server at `url`, where only this ring exists.
    private static RingPattern read(String url, int members) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var lists = new LinkedHashMap<String, List<JsonNode>>();
            for (String path : PATHS) {
                var items = new ArrayList<JsonNode>();
                for (var item : JSON.readTree(get(http, url + path)).path("items")) {
                    if (item.path("metadata").path("namespace").asText().equals(NAMESPACE)) {
                        items.add(item);
                    }
                }
                lists.put(path.substring(path.lastIndexOf('/') + 1), items);
            }
            var plain = new LinkedHashMap<String, String>();
            for (String path : List.of("/version", "/apis/policy")) {
                plain.put(path, get(http, url + path));
            }
            return RingPattern.of(lists, plain, NAMESPACE, members);
        }
    }

    private static String get(HttpClient http, String url) throws IOException, InterruptedException {
        var answer = http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(url + " answers " + answer.statusCode());
        }
        return answer.body();
    }
}
