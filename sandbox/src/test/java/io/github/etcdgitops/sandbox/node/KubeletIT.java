package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.Await;
import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import io.github.etcdgitops.sandbox.image.Images;
import io.github.etcdgitops.sandbox.image.OwnImage;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import io.github.etcdgitops.sandbox.process.Containment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the kubelet does with a container, whose etcd is a script that tells what it sees.
class KubeletIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String ETCD = """
        #!/bin/sh
        if [ "$1" = --version ]; then echo "etcd Version: 9.9.9"; exit; fi
        trap 'echo "told to end"; exit 0' TERM
        echo "pid $$"
        echo "args $*"
        env
        cat /etc/hosts /etc/config/*
        touch /usr/x /etc/config/x 2>/dev/null && echo "can be written"
        while [ ! -e /tmp/exit ]; do sleep 0.1; done
        exit 3
        """;

    @TempDir
    Path folder;

    private final MemoryObjects objects = new MemoryObjects(InstantSource.system());
    private Machines machines;

    @BeforeEach
    void start() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        for (String name : List.of("etcd", "etcdctl")) {
            Files.writeString(home.resolve(name), ETCD);
            Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var releases = EtcdReleases.of(Map.of(
                "ETCD_HOME", home.toString(),
                "XDG_CACHE_HOME", folder.resolve("cache").toString()));
        var settings = new MachineSettings(
                folder.resolve("machines"),
                1,
                new MachineSettings.BackOffs(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofMinutes(1)),
                Duration.ofMillis(100),
                Duration.ofMillis(100));
        var own = new OwnImage("etcd-gitops", folder.resolve("none.jar"), folder.resolve("agent"));
        var images = new Images(releases, own);
        machines = Machines.start(objects, images, settings, InstantSource.system(), System.out::println);
    }

    @AfterEach
    void stop() throws Exception {
        machines.close();

        assertThat(Machines.endLeftovers(folder.resolve("machines"))).isZero();
    }

    @Test
    void showsContainerOnlyItsOwnPod() throws Exception {
        objects.create(
                Resource.CONFIG_MAP,
                "default",
                Ring.yaml("{metadata: {name: config}, data: {a.yaml: \"listen: 0.0.0.0:1\"}}"));
        create("v9.9.9", "");
        Await.until("started", LONG, () -> log().contains("listen:"));

        String address = pod().at("/status/podIP").asText();
        assertThat(log())
                .contains("args --name=web-0 --listen=" + address + ":2379")
                .contains("POD_NAME=web-0")
                .contains("listen: " + address + ":1")
                .contains(address + " localhost\n", address + " soon-a-pod.svc\n", "127.9.9.9 elsewhere\n")
                .contains(address + " web-0.web-peer.default.svc.cluster.local web-0.web-peer.default.svc ")
                .doesNotContain("HOME=", "can be written");
        assertThat(pod().at("/status/containerStatuses/0/containerID").asText())
                .isEqualTo(
                        "process://" + log().lines().findFirst().orElseThrow().substring(4));
        assertThat(pod().at("/status/phase").asText()).isEqualTo("Running");
    }

    @Test
    void probesDecideOnReadinessAndOnLife() throws Exception {
        config();
        create("v9.9.9", """
                startupProbe: {exec: {command: [test, -e, /tmp/started]}, periodSeconds: 1, failureThreshold: 100}
                livenessProbe: {exec: {command: [test, "!", -e, /tmp/dead]}, periodSeconds: 1, failureThreshold: 2}
                readinessProbe: {exec: {command: [test, -e, /tmp/ready]}, periodSeconds: 1, failureThreshold: 1}
            """);
        Await.until("runs", LONG, () -> container().at("/state").has("running"));
        touch("ready");
        assertThat(container().path("started").asBoolean()).isFalse();
        assertThat(container().path("ready").asBoolean()).isFalse();

        touch("started");
        Await.until("ready", LONG, () -> container().path("ready").asBoolean());
        Files.delete(file("ready"));
        Await.until("unready", LONG, () -> !container().path("ready").asBoolean());
        assertThat(container().path("started").asBoolean()).isTrue();

        touch("dead");
        Await.until("restarted", LONG, () -> container().path("restartCount").asInt() > 0);
        assertThat(container().at("/lastState/terminated/exitCode").asInt()).isZero();
    }

    @Test
    void restartsEndedContainerWithBackOff() throws Exception {
        config();
        create("v9.9.9", "");
        Await.until("runs", LONG, () -> log().contains("args"));
        touch("exit");

        Await.until("fell back", LONG, () -> container().path("restartCount").asInt() >= 2);

        assertThat(container().at("/lastState/terminated/exitCode").asInt()).isEqualTo(3);
        Await.until(
                "says so",
                LONG,
                () -> container().at("/state/waiting/reason").asText().equals("CrashLoopBackOff"));
    }

    @Test
    void endsDeletedPodGracefullyAndCleansUp() throws Exception {
        config();
        create("v9.9.9", "");
        Await.until("runs", LONG, () -> log().contains("args"));

        try (InputStream followed =
                machines.open("default", "web-0", "etcd", true).orElseThrow()) {
            objects.delete(Resource.POD, "default", "web-0", Deletion.PLAIN);

            assertThat(new String(followed.readAllBytes(), StandardCharsets.UTF_8))
                    .endsWith("told to end\n");
        }
        Await.until(
                "gone",
                LONG,
                () -> objects.find(Resource.POD, "default", "web-0").isEmpty());
        Await.until("nothing is left", LONG, () -> isEmpty(folder.resolve("machines/pods")));
    }

    @Test
    void unknownVersionIsUnpullableImage() throws Exception {
        config();
        create("latest", "");

        Await.until(
                "says so",
                LONG,
                () -> container().at("/state/waiting/reason").asText().equals("ImagePullBackOff"));
        assertThat(container().at("/state/waiting/message").asText()).contains("example.org/etcd:latest");
        assertThat(pod().at("/status/phase").asText()).isEqualTo("Pending");
    }

    @Test
    void waitsForMissingConfigMap() throws Exception {
        create("v9.9.9", "");
        Await.until(
                "waits",
                LONG,
                () -> container().at("/state/waiting/message").asText().contains("configmaps \"config\" not found"));

        config();

        Await.until("runs", LONG, () -> container().at("/state").has("running"));
    }

    /// Under the names that the pod gives to them.
    @Test
    void mountsOnlyTheChosenEntriesOfASecret() throws Exception {
        objects.create(Resource.POD, "default", Ring.yaml("""
            metadata: {name: web-0}
            spec:
              nodeName: node-1
              restartPolicy: Never
              containers:
              - name: main
                image: "etcd:v9.9.9"
                command: [/bin/sh, -c, "ls /etc/key; cat /etc/key/key.pem"]
                volumeMounts: [{name: key, mountPath: /etc/key, readOnly: true}]
              volumes: [{name: key, secret: {secretName: keys, items: [{key: second, path: key.pem}]}}]
            """));
        objects.create(Resource.SECRET, "default", Ring.yaml("{metadata: {name: keys}, data: {first: b25l}}"));
        Await.until(
                "waits",
                LONG,
                () -> container()
                        .at("/state/waiting/message")
                        .asText()
                        .contains("references non-existent secret key: second"));

        objects.update(Resource.SECRET, "default", "keys", secret -> {
            secret.withObject("/data").put("second", "dHdv");
            return secret;
        });

        Await.until("ended", LONG, () -> status("/phase").asText().equals("Succeeded"));
        assertThat(log("main")).isEqualTo("key.pem\ntwo");
    }

    @Test
    void runsInitContainersInOrder() throws Exception {
        createFinite("while [ ! -e /tmp/go ]; do sleep 0.1; done; echo one", "echo two", "echo three");
        Await.until("runs", LONG, () -> status("/initContainerStatuses/0/state").has("running"));

        assertThat(status("/phase").asText()).isEqualTo("Pending");
        assertThat(status("/podIP").asText()).startsWith("127.");
        assertThat(status("/initContainerStatuses/1/state/waiting/reason").asText())
                .isEqualTo("PodInitializing");
        assertThat(status("/containerStatuses/0/state/waiting/reason").asText()).isEqualTo("PodInitializing");
        assertThat(condition("Initialized").path("status").asText()).isEqualTo("False");
        assertThat(machines.open("default", "web-0", "second", false)).isEmpty();

        touch("go");
        Await.until("succeeded", LONG, () -> status("/phase").asText().equals("Succeeded"));

        for (String ended : List.of("/initContainerStatuses/0", "/initContainerStatuses/1", "/containerStatuses/0")) {
            assertThat(status(ended + "/state/terminated/exitCode").asInt(-1)).isZero();
            assertThat(status(ended + "/state/terminated/reason").asText()).isEqualTo("Completed");
            assertThat(status(ended + "/restartCount").asInt(-1)).isZero();
        }
        assertThat(status("/initContainerStatuses/0/ready").asBoolean()).isTrue();
        assertThat(condition("Initialized").path("status").asText()).isEqualTo("True");
        assertThat(condition("Ready").path("reason").asText()).isEqualTo("PodCompleted");
        assertThat(log("first") + log("second") + log("main")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void startsNoContainerAfterFailedOne() throws Exception {
        createFinite("echo because; exit 3", "echo two", "echo three");

        Await.until("failed", LONG, () -> status("/phase").asText().equals("Failed"));

        assertThat(status("/initContainerStatuses/0/state/terminated/exitCode").asInt())
                .isEqualTo(3);
        assertThat(status("/initContainerStatuses/0/state/terminated/reason").asText())
                .isEqualTo("Error");
        assertThat(status("/initContainerStatuses/0/state/terminated/message").asText())
                .isEqualTo("because");
        assertThat(status("/initContainerStatuses/1/state").has("waiting")).isTrue();
        assertThat(machines.open("default", "web-0", "main", false)).isEmpty();
    }

    /// It has a file for that, which has precedence over its log.
    @Test
    void reportsTerminationMessageOfContainer() throws Exception {
        createFinite(
                "echo noise; echo told > /run/told; exit 0", "echo two", "echo noise; echo why > /run/told; exit 3");

        Await.until("failed", LONG, () -> status("/phase").asText().equals("Failed"));

        assertThat(status("/initContainerStatuses/0/state/terminated/message").asText())
                .isEqualTo("told\n");
        assertThat(status("/initContainerStatuses/1/state/terminated/message").asText())
                .isEmpty();
        assertThat(status("/containerStatuses/0/state/terminated/message").asText())
                .isEqualTo("why\n");
    }

    @Test
    void failedContainerKeepsItsLastOutput() throws Exception {
        createFinite("echo one", "echo two", "seq 1 2000; kill -KILL $$$$");

        Await.until("failed", LONG, () -> status("/phase").asText().equals("Failed"));

        JsonNode end = status("/containerStatuses/0/state/terminated");
        assertThat(end.path("exitCode").asInt()).isEqualTo(137);
        assertThat(end.path("message").asText()).startsWith("1921\n").endsWith("\n2000");
        assertThat(status("/containerStatuses/0/restartCount").asInt()).isZero();
        objects.delete(Resource.POD, "default", "web-0", Deletion.PLAIN);
        Await.until("nothing is left", LONG, () -> isEmpty(folder.resolve("machines/pods")));
    }

    @Test
    void endsDeletedPodDuringInitContainers() throws Exception {
        createFinite(
                "trap 'echo told to end; exit 0' TERM; echo runs; while true; do sleep 0.1; done",
                "echo two",
                "echo three");
        Await.until("runs", LONG, () -> log("first").equals("runs\n"));

        try (InputStream followed =
                machines.open("default", "web-0", "first", true).orElseThrow()) {
            objects.delete(Resource.POD, "default", "web-0", Deletion.PLAIN);

            assertThat(new String(followed.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("runs\ntold to end\n");
        }
        Await.until(
                "gone",
                LONG,
                () -> objects.find(Resource.POD, "default", "web-0").isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void eitherKindOfNamespaceWillDo(Containment kind) throws Exception {
        boolean root = Files.getOwner(Path.of("/proc/self")).getName().equals("root");
        Assumptions.assumeTrue(root || kind == Containment.USER, "needs root");
        Path volume = Files.createDirectories(folder.resolve("volume"));
        var cell = new Containment.Cell(
                folder.resolve("root-" + kind),
                List.of(new Containment.Mount(volume, "/deep/down/data", false)),
                Map.of("A", "b c"),
                List.of("/bin/sh", "-c", "echo $A >/deep/down/data/file; exec sleep 60"));

        Process process = kind.builder(cell).inheritIO().start();
        try {
            Await.until("it wrote to its volume", LONG, () -> Files.exists(volume.resolve("file")));
            assertThat(volume.resolve("file")).hasContent("b c");
            Process beside = kind.enter(
                            process.pid(), Map.of("B", "d"), List.of("sh", "-c", "cat /deep/down/data/file; echo $B"))
                    .start();
            assertThat(beside.getInputStream().readAllBytes()).asString().isEqualTo("b c\nd\n");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// Three containers of shells, of which the last one is the pod's main one. None is started again.
    private void createFinite(String first, String second, String main) {
        objects.create(Resource.POD, "default", Ring.yaml("""
            metadata: {name: web-0}
            spec:
              nodeName: node-1
              restartPolicy: Never
              terminationGracePeriodSeconds: 20
              initContainers:
              - {name: first, image: "etcd:v9.9.9", command: [/bin/sh, -c, "%s"],
                 terminationMessagePath: /run/told, terminationMessagePolicy: FallbackToLogsOnError}
              - {name: second, image: "etcd:v9.9.9", command: [/bin/sh, -c, "%s"]}
              containers:
              - {name: main, image: "etcd:v9.9.9", command: [/bin/sh, -c, "%s"],
                 terminationMessagePath: /run/told, terminationMessagePolicy: FallbackToLogsOnError}
            """.formatted(first, second, main)));
    }

    private JsonNode status(String pointer) {
        return pod().at("/status" + pointer);
    }

    private JsonNode condition(String type) {
        for (JsonNode condition : status("/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        throw new AssertionError("no condition " + type);
    }

    private void config() {
        objects.create(Resource.CONFIG_MAP, "default", Ring.yaml("{metadata: {name: config}, data: {a: b}}"));
    }

    private void create(String tag, String probes) {
        objects.create(Resource.POD, "default", Ring.yaml("""
            metadata: {name: web-0}
            spec:
              nodeName: node-1
              hostname: web-0
              subdomain: web-peer
              hostAliases: [{ip: 127.0.0.1, hostnames: [soon-a-pod.svc]}, {ip: 127.9.9.9, hostnames: [elsewhere]}]
              terminationGracePeriodSeconds: 20
              containers:
              - name: etcd
                image: example.org/etcd:%s
                command: [/usr/local/bin/etcd]
                args: [--name=$(POD_NAME), "--listen=0.0.0.0:2379"]
                env:
                - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                volumeMounts: [{name: config, mountPath: /etc/config, readOnly: true}]
            %s  volumes: [{name: config, configMap: {name: config}}]
            """.formatted(tag, probes)));
    }

    private JsonNode pod() {
        return objects.find(Resource.POD, "default", "web-0").orElseThrow();
    }

    private JsonNode container() {
        return pod().at("/status/containerStatuses/0");
    }

    private Path file(String name) {
        return folder.resolve("machines/pods/" + pod().at("/metadata/uid").asText() + "/root/tmp/" + name);
    }

    private void touch(String name) throws IOException {
        Files.writeString(file(name), "");
    }

    private String log() throws IOException {
        return log("etcd");
    }

    private String log(String container) throws IOException {
        var log = machines.open("default", "web-0", container, false);
        if (log.isEmpty()) {
            return "";
        }
        try (InputStream in = log.get()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> listed = Files.list(folder)) {
            return listed.findAny().isEmpty();
        }
    }
}
