package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole command, on a repository in a folder and an API server of a few answers.
class DoctorCommandTest {
    private static final String TOKEN = "hunter2-of-kubernetes";
    private static final String RING = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: EtcdCluster
        metadata:
          name: orders
          namespace: demo
        spec:
          size: 3
          version: 3.5.16
          storage:
            size: 1Gi
        """;

    @TempDir
    Path folder;

    private HttpServer server;
    private Path kubeconfig;
    private final List<String> requests = new ArrayList<>();
    private volatile boolean allowed = true;

    @BeforeEach
    void start() throws IOException, GitAPIException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                synchronized (requests) {
                    requests.add(exchange.getRequestMethod() + " "
                            + exchange.getRequestURI().getPath());
                }
                byte[] body = answer(exchange.getRequestURI().getPath()).getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: one, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: me, user: {token: %s}}]
                    contexts: [{name: here, context: {cluster: one, user: me}}]
                    current-context: here
                    """.formatted(server.getAddress().getPort(), TOKEN));
        repository(RING);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String answer(String path) {
        return switch (path) {
            case "/version" -> "{\"gitVersion\":\"v1.31.2\"}";
            case "/apis" -> """
                {"groups":[{"versions":[{"groupVersion":"apps/v1"},{"groupVersion":"coordination.k8s.io/v1"},
                {"groupVersion":"networking.k8s.io/v1"},{"groupVersion":"policy/v1"}]}]}\
                """;
            case "/apis/policy" -> "{\"versions\":[{\"version\":\"v1\"}]}";
            case "/api/v1/namespaces/kube-system" -> "{\"metadata\":{\"name\":\"kube-system\",\"uid\":\"u-1\"}}";
            case "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews" ->
                "{\"status\":{\"allowed\":" + allowed + "}}";
            default -> "{\"items\":[]}";
        };
    }

    private void repository(String ring) throws IOException, GitAPIException {
        Path file = folder.resolve("rings/clusters/orders.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, ring);
        try (var git = Git.init()
                .setDirectory(folder.resolve("rings").toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("Rings")
                    .setAuthor("a", "a@b")
                    .setSign(false)
                    .call();
        }
    }

    private Ran doctor(String... more) {
        var line = new ArrayList<>(
                List.of("doctor", "--repo", folder.resolve("rings").toString()));
        line.addAll(List.of("--cache-dir", folder.resolve("cache").toString()));
        if (Arrays.stream(more).noneMatch("--kubeconfig"::equals)) {
            line.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        }
        line.addAll(List.of(more));
        return Ran.of(Map.of("LANG", "C.UTF-8", "ETCD_GITOPS_PLACES", "file://" + folder), line.toArray(String[]::new));
    }

    private static Map<String, String> verdicts(Ran ran) throws IOException {
        var verdicts = new TreeMap<String, String>();
        for (JsonNode check : new ObjectMapper().readTree(ran.out()).path("checks")) {
            verdicts.put(check.path("name").asText(), check.path("verdict").asText());
        }
        return verdicts;
    }

    @Test
    void asksAndChangesNothing() throws IOException {
        var ran = doctor("-o", "json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(verdicts(ran))
                .containsEntry("ref", "ok")
                .containsEntry("documents", "ok")
                .containsEntry("which Kubernetes", "ok")
                .containsEntry("rights to execute", "ok")
                .containsEntry("clock", "ok")
                .containsEntry("StorageClass", "warning")
                .containsEntry("members", "ok")
                .containsEntry("push", "skipped");
        assertThat(requests)
                .allMatch(r -> r.startsWith("GET ") || r.endsWith("/selfsubjectaccessreviews"))
                .isNotEmpty();
        assertThat(ran.out()).doesNotContain(TOKEN);
    }

    @Test
    void deniedRightsAreSeventySeven() throws IOException {
        allowed = false;

        var ran = doctor("-o", "json");

        assertThat(ran.code()).isEqualTo(77);
        assertThat(verdicts(ran)).containsEntry("rights to plan", "failed");
        assertThat(doctor().out())
                .contains("✗ rights to execute")
                .contains("- {apiGroups: [\"policy\"], resources: [poddisruptionbudgets], verbs: [create, update]}");
    }

    private static List<String> missing(Ran ran) {
        return ran.out().lines().filter(line -> line.contains("apiGroups")).toList();
    }

    /// It reads the rings' objects itself, by name.
    @Test
    void identityWithoutImpersonationNeedsAllRights() {
        allowed = false;

        var reader = doctor("--identity", "planner", "--default-service-account", "rings", "--no-impersonation");

        assertThat(missing(reader)).isNotEmpty().isEqualTo(missing(doctor("--identity", "planner")));
    }

    @Test
    void wrongDocumentsAreTen() throws Exception {
        repository(RING.replace("size: 3", "size: three"));

        assertThat(doctor().code()).isEqualTo(10);
    }

    @Test
    void checksKubernetesWhenRefIsMissing() throws IOException {
        var ran = doctor("--ref", "nothing", "-o", "json");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(verdicts(ran))
                .containsEntry("ref", "failed")
                .containsEntry("documents", "skipped")
                .containsEntry("rights to plan", "ok");
    }

    @Test
    void checksGitWhenKubeconfigIsMissing() throws IOException {
        var ran = doctor("--kubeconfig", folder.resolve("none").toString(), "-o", "json");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(verdicts(ran))
                .containsEntry("documents", "ok")
                .containsEntry("kubeconfig", "failed")
                .containsEntry("members", "skipped");
    }

    @Test
    void exitsTemporaryWhenApiServerIsUnreachable() {
        server.stop(0);

        var ran = doctor("-o", "human");

        assertThat(ran.code()).isEqualTo(75);
        assertThat(ran.out()).contains("✗ API server").doesNotContain(TOKEN, "\tat ");
    }

    @Test
    void placesForBackupsAreListedAndNothingIsWrittenThere() throws Exception {
        Path backups = Files.createDirectories(folder.resolve("backups"));
        Path policy = folder.resolve("rings/policies/nightly.yaml");
        Files.createDirectories(policy.getParent());
        Files.writeString(policy, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec: {clusters: {namespaces: [demo]}, destination: {directory: {path: %s}}}
            """.formatted(backups));
        assertThat(verdicts(doctor("-o", "json"))).containsEntry("backups", "skipped");
        repository(RING);

        var well = doctor("-o", "json");

        assertThat(well.code()).isZero();
        assertThat(verdicts(well)).containsEntry("file://" + backups + "/", "ok");
        assertThat(backups).isEmptyDirectory();

        Files.delete(backups);
        var gone = doctor();

        assertThat(gone.code()).isEqualTo(78);
        assertThat(gone.out())
                .contains("✗ file://" + backups + "/", "there is no directory " + backups)
                .contains("→ mount the volume there, or correct it in policies/nightly.yaml");
    }

    @Test
    void exitsWithCodeOfWorstProblem() {
        allowed = false;

        assertThat(doctor("--ref", "nothing").code()).isEqualTo(78);
    }

    @Test
    void wordsStandWhereSignsCannot() {
        var line = new String[] {
            "doctor",
            "--repo",
            folder.resolve("rings").toString(),
            "--cache-dir",
            folder.resolve("cache").toString(),
            "--kubeconfig",
            kubeconfig.toString()
        };

        assertThat(Ran.of(Map.of("LC_ALL", "POSIX", "LANG", "C.UTF-8"), line).out())
                .contains("  ok      ref")
                .matches("\\p{ASCII}*");
    }
}
