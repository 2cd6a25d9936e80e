package io.github.etcdgitops.sandbox.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A Kubernetes that a contract is tried on, and a namespace in it that nobody else uses. Nothing but HTTP
/// and JSON, so that no client library's view of things is tested.
public interface KubeUnderTest extends AutoCloseable {
    ObjectMapper JSON = new ObjectMapper();
    String MERGE = "application/merge-patch+json";
    String PLAIN = "application/json";
    Map<String, String> GROUPS = Map.of(
            "statefulsets", "/apis/apps/v1",
            "controllerrevisions", "/apis/apps/v1",
            "jobs", "/apis/batch/v1",
            "poddisruptionbudgets", "/apis/policy/v1beta1",
            "networkpolicies", "/apis/networking.k8s.io/v1",
            "leases", "/apis/coordination.k8s.io/v1");

    /// What came back.
    record Reply(int code, JsonNode body) {
        public String at(String pointer) {
            return body.at(pointer).asText();
        }

        public String version() {
            return at("/metadata/resourceVersion");
        }

        public String uid() {
            return at("/metadata/uid");
        }

        public ObjectNode object() {
            return (ObjectNode) body.deepCopy();
        }
    }

    HttpClient client();

    URI base();

    String namespace();

    @Override
    void close();

    /// JSON with single quotes.
    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    default String path(String plural) {
        return GROUPS.getOrDefault(plural, "/api/v1") + "/namespaces/" + namespace() + "/" + plural;
    }

    default Reply send(String method, String path, String type, String body) {
        HttpRequest request = HttpRequest.newBuilder(base().resolve(path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", type)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            var answer = client().send(request, BodyHandlers.ofString());
            boolean object = answer.body().startsWith("{");
            return new Reply(answer.statusCode(), object ? JSON.readTree(answer.body()) : JSON.createObjectNode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    default Reply get(String plural, String name) {
        return send("GET", path(plural) + "/" + name, PLAIN, "");
    }

    default Reply list(String plural, String query) {
        return send("GET", path(plural) + "?" + query, PLAIN, "");
    }

    default Reply create(String plural, ObjectNode object) {
        return send("POST", path(plural), PLAIN, object.toString());
    }

    default Reply update(String plural, String name, ObjectNode object) {
        return send("PUT", path(plural) + "/" + name, PLAIN, object.toString());
    }

    default Reply merge(String plural, String name, String patch) {
        return send("PATCH", path(plural) + "/" + name, MERGE, patch.replace('\'', '"'));
    }

    default Reply delete(String plural, String name, String options) {
        return send("DELETE", path(plural) + "/" + name, PLAIN, options.replace('\'', '"'));
    }

    /// So many events of a watch, or fewer when it ends before. `then` runs once it is open.
    default List<JsonNode> watch(String plural, String query, int events, Runnable then) {
        String path = path(plural) + "?watch=true&" + query;
        HttpRequest request = HttpRequest.newBuilder(base().resolve(path))
                .timeout(Duration.ofSeconds(30))
                .build();
        var seen = new ArrayList<JsonNode>();
        try {
            var answer = client().send(request, BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                then.run();
                for (String line = events > 0 ? lines.readLine() : null; line != null; ) {
                    seen.add(JSON.readTree(line));
                    line = seen.size() < events ? lines.readLine() : null;
                }
            }
            return seen;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
