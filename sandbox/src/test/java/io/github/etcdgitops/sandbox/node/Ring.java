package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.Yaml;

/// A ring's objects as a StatefulSet would have them, made by hand, and what its members answer.
record Ring(KubeObjects objects, Path volumes, String name, int size, String version) {
    static final String NAMESPACE = "default";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    void create() throws IOException {
        ObjectNode members = JSON.createObjectNode();
        members.putObject("metadata").put("name", name + "-members");
        ObjectNode data = members.putObject("data");
        for (int i = 0; i < size; i++) {
            data.put(pod(i) + ".yaml", founding(i));
        }
        objects.create(Resource.CONFIG_MAP, NAMESPACE, members);
        for (int i = 0; i < size; i++) {
            createVolume(i);
        }
        for (int i = 0; i < size; i++) {
            createPod(i);
        }
    }

    String pod(int ordinal) {
        return name + "-" + ordinal;
    }

    void createPod(int ordinal) {
        objects.create(
                Resource.POD,
                NAMESPACE,
                yaml(POD.formatted(pod(ordinal), pod(ordinal), name, version, name, pod(ordinal))));
    }

    Path volume(int ordinal) {
        return volumes.resolve("pv-" + pod(ordinal));
    }

    String founding(int ordinal) {
        String peers = IntStream.range(0, size).mapToObj(this::peer).collect(Collectors.joining(","));
        return CONFIG.formatted(pod(ordinal), host(ordinal), host(ordinal), peers, "new");
    }

    /// Starts only where its data is.
    String sealed(int ordinal) {
        return CONFIG.formatted(pod(ordinal), host(ordinal), host(ordinal), peer(ordinal), "existing");
    }

    private String peer(int ordinal) {
        return pod(ordinal) + "=http://" + host(ordinal) + ":2380";
    }

    String host(int ordinal) {
        return pod(ordinal) + "." + name + "-peer." + NAMESPACE + ".svc";
    }

    JsonNode status(int ordinal) {
        return objects.find(Resource.POD, NAMESPACE, pod(ordinal))
                .map(pod -> pod.path("status"))
                .orElseGet(JSON::createObjectNode);
    }

    JsonNode container(int ordinal) {
        return status(ordinal).path("containerStatuses").path(0);
    }

    boolean ready(int ordinal) {
        for (JsonNode condition : status(ordinal).path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    boolean ready() {
        return IntStream.range(0, size).allMatch(this::ready);
    }

    void put(int through, String key, String value) throws IOException, InterruptedException {
        var request = JSON.createObjectNode().put("key", base64(key)).put("value", base64(value));
        ask(through, "kv/put", request).orElseThrow(() -> new IOException("not written"));
    }

    Optional<String> get(int through, String key) throws IOException, InterruptedException {
        return ask(through, "kv/range", JSON.createObjectNode().put("key", base64(key)))
                .map(answer -> answer.path("kvs").path(0).path("value").asText())
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
    }

    /// 0 when it knows none or does not answer.
    String leader(int of) throws InterruptedException {
        try {
            return ask(of, "maintenance/status", JSON.createObjectNode())
                    .map(answer -> answer.path("leader").asText("0"))
                    .orElse("0");
        } catch (IOException down) {
            return "0";
        }
    }

    private Optional<JsonNode> ask(int ordinal, String call, ObjectNode request)
            throws IOException, InterruptedException {
        var answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(
                                "http://" + status(ordinal).path("podIP").asText() + ":2379/v3/" + call))
                        .timeout(Duration.ofSeconds(6))
                        .POST(HttpRequest.BodyPublishers.ofString(request.toString()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
    }

    private void createVolume(int ordinal) throws IOException {
        Files.createDirectories(volume(ordinal));
        objects.create(Resource.PERSISTENT_VOLUME, "", yaml("""
                metadata: {name: pv-%s}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  hostPath: {path: "%s", type: Directory}
                """.formatted(pod(ordinal), volume(ordinal))));
        objects.create(Resource.PERSISTENT_VOLUME_CLAIM, NAMESPACE, yaml("""
                metadata: {name: data-%s}
                spec:
                  accessModes: [ReadWriteOnce]
                  volumeName: pv-%s
                  resources: {requests: {storage: 1Gi}}
                """.formatted(pod(ordinal), pod(ordinal))));
    }

    static ObjectNode yaml(String text) {
        return JSON.valueToTree(new Yaml().load(text));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final String CONFIG = """
            name: %s
            data-dir: /var/lib/etcd/one
            listen-peer-urls: http://0.0.0.0:2380
            listen-client-urls: http://0.0.0.0:2379
            listen-metrics-urls: http://0.0.0.0:2378
            advertise-client-urls: http://%s:2379
            initial-advertise-peer-urls: http://%s:2380
            initial-cluster: %s
            initial-cluster-state: %s
            initial-cluster-token: given
            enable-grpc-gateway: true
            logger: zap
            """;

    private static final String POD = """
            metadata: {name: %s}
            spec:
              nodeName: node-1
              hostname: %s
              subdomain: %s-peer
              terminationGracePeriodSeconds: 20
              containers:
              - name: etcd
                image: example.org/mirror/etcd:v%s
                command: [/usr/local/bin/etcd]
                args: [--config-file=/etc/etcd/members/$(POD_NAME).yaml]
                env:
                - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                - {name: ETCDCTL_API, value: "3"}
                - {name: ETCDCTL_ENDPOINTS, value: "http://127.0.0.1:2379"}
                ports:
                - {name: client, containerPort: 2379}
                - {name: metrics, containerPort: 2378}
                startupProbe: {tcpSocket: {port: metrics}, periodSeconds: 5, failureThreshold: 60}
                readinessProbe:
                  exec: {command: [/usr/local/bin/etcdctl, --command-timeout=4s, get, health]}
                  periodSeconds: 2
                  timeoutSeconds: 5
                  failureThreshold: 2
                volumeMounts:
                - {name: data, mountPath: /var/lib/etcd}
                - {name: members, mountPath: /etc/etcd/members, readOnly: true}
                - {name: tls, mountPath: /etc/etcd/tls, readOnly: true}
              volumes:
              - name: members
                configMap: {name: %s-members}
              - name: tls
                secret: {secretName: nobody-made-it, optional: true}
              - name: data
                persistentVolumeClaim: {claimName: data-%s}
            """;
}
