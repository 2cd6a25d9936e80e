package io.github.etcdgitops.sandbox.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What only the sandbox can be asked for, or serves in a way of its own.
class ApiServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFAULT = "/api/v1/namespaces/default";

    private final MemoryObjects objects = new MemoryObjects(InstantSource.system());
    private final ApiServer server = ApiServer.start(objects, ApiServerTest::log, 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private static Optional<java.io.InputStream> log(String namespace, String pod, String container, boolean follow) {
        return pod.equals("silent")
                ? Optional.empty()
                : Optional.of(new ByteArrayInputStream(
                        (pod.equals("several") ? container : "one\ntwo\nthree\n").getBytes(StandardCharsets.UTF_8)));
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, "application/json", "");
    }

    private void pod(String name, String ip) {
        objects.create(
                Resource.POD,
                "default",
                json("{'metadata': {'name': '" + name + "'}, 'spec': {'containers': [{'name': 'c', 'image': 'c'}]}}"));
        objects.updateStatus(Resource.POD, "default", name, pod -> {
            pod.withObject("/status").put("podIP", ip);
            return pod;
        });
    }

    @Test
    void refusesConnectionsWhileItIsOut() throws Exception {
        int port = server.port();
        HttpRequest watch = HttpRequest.newBuilder(URI.create(server.url() + DEFAULT + "/pods?watch=true"))
                .build();
        var open = client.send(watch, BodyHandlers.ofInputStream());

        server.outage(true);

        assertThatThrownBy(() -> open.body().readAllBytes()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get("/version")).isInstanceOf(ConnectException.class);

        server.outage(false);

        assertThat(server.port()).isEqualTo(port);
        assertThat(get("/version").statusCode()).isEqualTo(200);
    }

    @Test
    void countsWhatItIsAskedFor() throws Exception {
        get(DEFAULT + "/pods");
        get(DEFAULT + "/pods/p");
        get(DEFAULT + "/pods/p");
        send("POST", DEFAULT + "/pods/p/eviction", "application/json", "{}");
        get("/apis/policy");

        assertThat(server.calls())
                .containsEntry("list pods", 1L)
                .containsEntry("get pods", 2L)
                .containsEntry("create pods/eviction", 1L)
                .containsEntry("get /apis/policy", 1L);
    }

    @Test
    void servesLogs() throws Exception {
        pod("chatty", "127.0.0.1");
        pod("silent", "127.0.0.1");

        assertThat(get(DEFAULT + "/pods/chatty/log?container=c").body()).isEqualTo("one\ntwo\nthree\n");
        assertThat(get(DEFAULT + "/pods/chatty/log?tailLines=2&follow=true").body())
                .isEqualTo("two\nthree\n");
        assertThat(get(DEFAULT + "/pods/silent/log").statusCode()).isEqualTo(400);
        assertThat(get(DEFAULT + "/pods/absent/log").statusCode()).isEqualTo(404);
    }

    @Test
    void servesTheLogOfTheContainerThatIsMeant() throws Exception {
        objects.create(Resource.POD, "default", json("""
                {'metadata': {'name': 'several'}, 'spec': {
                 'initContainers': [{'name': 'first', 'image': 'c'}, {'name': 'second', 'image': 'c'}],
                 'containers': [{'name': 'main', 'image': 'c'}]}}
                """));

        assertThat(get(DEFAULT + "/pods/several/log").body()).isEqualTo("main");
        assertThat(get(DEFAULT + "/pods/several/log?container=second").body()).isEqualTo("second");
        assertThat(get(DEFAULT + "/pods/several/log?container=third").statusCode())
                .isEqualTo(400);
    }

    @Test
    void servesBudgetsUnderBothVersions() throws Exception {
        String budget = "{'metadata': {'name': 'b'}, 'spec': {'minAvailable': 1}}";

        send("POST", "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets", "application/json", budget);
        String found =
                get("/apis/policy/v1/namespaces/default/poddisruptionbudgets/b").body();
        String older = get("/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets/b")
                .body();

        assertThat(JSON.readTree(found).path("apiVersion").asText()).isEqualTo("policy/v1");
        assertThat(JSON.readTree(older).path("apiVersion").asText()).isEqualTo("policy/v1beta1");
    }

    @Test
    void refusesPatchesThatItCannotMerge() throws Exception {
        pod("p", "127.0.0.1");

        int apply = send("PATCH", DEFAULT + "/pods/p?fieldManager=me", "application/apply-patch+yaml", "{}")
                .statusCode();
        int lists = send(
                        "PATCH",
                        DEFAULT + "/pods/p",
                        "application/strategic-merge-patch+json",
                        "{'spec': {'containers': [{'name': 'c', 'image': 'd'}]}}")
                .statusCode();

        assertThat(apply).isEqualTo(415);
        assertThat(lists).isEqualTo(415);
    }

    @Test
    void leavesOrphansToTheGarbageCollector() throws Exception {
        objects.create(Resource.CONFIG_MAP, "default", json("{'metadata': {'name': 'owner'}}"));

        send("DELETE", DEFAULT + "/configmaps/owner", "application/json", "{'propagationPolicy': 'Orphan'}");

        ObjectNode owner = objects.find(Resource.CONFIG_MAP, "default", "owner").orElseThrow();
        assertThat(owner.path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(owner.at("/metadata/finalizers/0").asText()).isEqualTo("orphan");
    }

    @Test
    void scales() throws Exception {
        objects.create(Resource.STATEFUL_SET, "default", json("""
                {'metadata': {'name': 's'}, 'spec': {'replicas': 1, 'selector': {'matchLabels': {'a': 'b'}},
                 'template': {'metadata': {'labels': {'a': 'b'}},
                  'spec': {'containers': [{'name': 'c', 'image': 'c'}]}}}}"""));
        String scale = "/apis/apps/v1/namespaces/default/statefulsets/s/scale";

        send("PATCH", scale, "application/merge-patch+json", "{'spec': {'replicas': 3}}");
        JsonNode read = JSON.readTree(get(scale).body());

        assertThat(read.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(read.at("/status/selector").asText()).isEqualTo("a=b");
    }
}
