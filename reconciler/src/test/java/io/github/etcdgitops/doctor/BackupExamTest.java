package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.doctor.exam.BackupExam;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.store.Stores;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is seen of the places that keep backups, and what is made of it.
class BackupExamTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-10T00:00:00Z"));

    @TempDir
    Path folder;

    private final FakeStore store = new FakeStore("memory", CLOCK);
    private final List<Destination> opened = new CopyOnWriteArrayList<>();

    private BackupStores memory() {
        return destination -> {
            opened.add(destination);
            return store;
        };
    }

    /// Each ring names the policy of its own name.
    private static DesiredState desired(Map<String, String> environments, String destination) {
        var files = new TreeMap<String, byte[]>();
        environments.forEach((name, environment) -> {
            files.put("clusters/" + name + ".yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdCluster
                metadata: {name: %s, namespace: demo}
                spec: {size: 3, version: "3.5.16", environment: %s, storage: {size: 1Gi}, backup: {policy: %s}}
                """.formatted(name, environment, name)
                    .getBytes(StandardCharsets.UTF_8));
            files.put("policies/" + name + ".yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: BackupPolicy
                metadata: {name: %s}
                spec: {destination: %s}
                """.formatted(name, destination.formatted(name))
                    .getBytes(StandardCharsets.UTF_8));
        });
        var desired = SpecLoader.load(new SourceTree("0000", files, List.of(), "digest"));
        assertThat(desired.violations()).isEmpty();
        return desired;
    }

    private static GitFacts git(Fact<DesiredState> documents, Fact<String> environment) {
        return new GitFacts(
                new Fact.Unasked<>(),
                new Fact.Unasked<>(),
                new Fact.Unasked<>(),
                documents,
                environment,
                new Fact.Unasked<>(),
                new Fact.Unasked<>());
    }

    private static List<Check> checks(BackupStores stores, DesiredState desired) {
        var facts = new BackupExam(stores, CLOCK).look(git(Fact.seen(desired), Fact.seen("prod")));
        return BackupChecks.of(facts, "");
    }

    private static Check.Failed failed(List<Check> checks) {
        assertThat(checks).singleElement().isInstanceOf(Check.Failed.class);
        return (Check.Failed) checks.getFirst();
    }

    @Test
    void withoutAPolicyThereIsNothingToLookAt() {
        assertThat(checks(memory(), desired(Map.of("orders", "staging"), "{directory: {path: /backups}}")))
                .containsExactly(new Check.Skipped("backups", "no BackupPolicy holds for a ring of this environment"));
        assertThat(opened).isEmpty();
    }

    @Test
    void skipsWithoutDocuments() {
        var facts = new BackupExam(memory(), CLOCK).look(git(new Fact.Unasked<>(), new Fact.Unasked<>()));

        assertThat(BackupChecks.of(facts, "not looked at, because of: ref"))
                .containsExactly(new Check.Skipped("backups", "not looked at, because of: ref"));
        assertThat(opened).isEmpty();
    }

    @Test
    void onlyThePlacesOfThisEnvironmentAreOpened() {
        var desired = desired(Map.of("orders", "prod", "stock", "staging"), "{directory: {path: /backups/%s}}");

        var checks = checks(memory(), desired);

        assertThat(opened).containsExactly(new Destination.Directory("/backups/orders", ""));
        assertThat(checks)
                .containsExactly(new Check.Ok(
                        "file:///backups/orders/", "policy orders: can be listed; no backup of this environment yet"));
    }

    @Test
    void listsPlaceOfSeveralPoliciesOnceWithoutWriting() {
        var desired = desired(Map.of("orders", "prod", "stock", "prod"), "{directory: {path: /backups}}");
        for (String id :
                List.of("orders/abc/20260103T000000Z", "stock/abc/20260104T000000Z", "stock/abc/20260105T000000Z")) {
            store.put("prod/demo/" + id + "/snapshot.db", new byte[1]);
            store.put("prod/demo/" + id + "/manifest.json", new byte[1]);
        }
        store.put("prod/demo/gone/abc/20260109T000000Z/snapshot.db", new byte[1]);
        store.put("staging/demo/orders/abc/20260109T000000Z/manifest.json", new byte[1]);
        var before = store.keys();

        var checks = checks(memory(), desired);

        assertThat(checks)
                .containsExactly(new Check.Ok(
                        "file:///backups/", "policies orders, stock: can be listed; 3 backups of 2 rings"));
        assertThat(opened).hasSize(1);
        assertThat(store.keys()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHORIZED, RIGHTS, owner",
        "NOT_FOUND, CONFIGURATION, mount the volume",
        "REJECTED, CONFIGURATION, policies/orders.yaml",
        "UNREACHABLE, TEMPORARY, NetworkPolicy",
        "TIMEOUT, TEMPORARY, try again"
    })
    void namesRemedyForEveryTrouble(GatewayException.Kind kind, Trouble trouble, String remedy) {
        store.failAll(kind);

        var failed = failed(checks(memory(), desired(Map.of("orders", "prod"), "{directory: {path: /backups}}")));

        assertThat(failed.name()).isEqualTo("file:///backups/");
        assertThat(failed.trouble()).isEqualTo(trouble);
        assertThat(failed.seen()).startsWith("policy orders: ").contains("a fault was asked for");
        assertThat(failed.remedy().toString()).contains(remedy);
    }

    // --- the same on places as they are

    private Stores stores() {
        var environment =
                Map.of("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString(), "ETCD_GITOPS_PLACES", "file://" + folder);
        return new Stores(environment, CLOCK);
    }

    private void places(String line) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("storage")).resolve("places"), line);
    }

    @Test
    void reportsMissingDirectoryWithoutCreatingIt() {
        var missing = folder.resolve("volume");

        var failed =
                failed(checks(stores(), desired(Map.of("orders", "prod"), "{directory: {path: " + missing + "}}")));

        assertThat(failed.trouble()).isEqualTo(Trouble.CONFIGURATION);
        assertThat(failed.seen()).contains("there is no directory " + missing);
        assertThat(missing).doesNotExist();
    }

    @Test
    void namesFolderOfUnmountedCredentials() throws IOException {
        places("s3://etcd-backups/ region=here");

        var failed = failed(checks(
                stores(),
                desired(
                        Map.of("orders", "prod"),
                        "{s3: {bucket: etcd-backups, region: here, credentialsRef: {name: storage}}}")));

        assertThat(failed.name()).isEqualTo("s3://etcd-backups/");
        assertThat(failed.trouble()).isEqualTo(Trouble.RIGHTS);
        assertThat(failed.seen()).contains("expected in " + folder.resolve("storage"));
        assertThat(failed.remedy().toString()).contains("etcd-gitops-storage", "docs/backup-stores.md");
    }

    @ParameterizedTest
    @CsvSource({
        "403, InvalidAccessKeyId, RIGHTS, does not know the access key id, set of credentials storage",
        "403, SignatureDoesNotMatch, RIGHTS, secret access key does not belong, set of credentials storage",
        "403, AccessDenied, RIGHTS, access denied, rights that a key needs",
        "404, NoSuchBucket, CONFIGURATION, the bucket does not exist, make the bucket"
    })
    void explainsRefusalOfBucket(int status, String code, Trouble trouble, String seen, String remedy)
            throws IOException {
        var set = Files.createDirectories(folder.resolve("storage"));
        Files.writeString(set.resolve("access-key-id"), "AKID");
        Files.writeString(set.resolve("secret-access-key"), "hush-hush");
        var methods = new ArrayList<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                methods.add(exchange.getRequestMethod());
                byte[] body = "<Error><Code>%s</Code><Message>words of the server</Message></Error>"
                        .formatted(code)
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        places("s3://etcd-backups/ endpoint=http://127.0.0.1:"
                + server.getAddress().getPort());
        try {
            var failed = failed(checks(
                    stores(),
                    desired(
                            Map.of("orders", "prod"),
                            "{s3: {bucket: etcd-backups, endpoint: \"http://127.0.0.1:"
                                    + server.getAddress().getPort()
                                    + "\", pathStyle: true, credentialsRef: {name: storage}}}")));

            assertThat(failed.trouble()).isEqualTo(trouble);
            assertThat(failed.seen()).contains("s3://etcd-backups/", seen);
            assertThat(failed.remedy().toString()).contains(remedy);
            assertThat(failed.toString()).doesNotContain("AKID", "hush-hush", "words of the server");
            assertThat(methods).containsOnly("GET");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void failsIfServerIsNotS3() throws IOException {
        var set = Files.createDirectories(folder.resolve("storage"));
        Files.writeString(set.resolve("access-key-id"), "AKID");
        Files.writeString(set.resolve("secret-access-key"), "hush-hush");
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                byte[] page = "<!doctype html><html>Welcome</html>".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            }
        });
        server.start();
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        places("s3://etcd-backups/ endpoint=" + endpoint);
        try {
            var failed = failed(checks(
                    stores(),
                    desired(
                            Map.of("orders", "prod"),
                            "{s3: {bucket: etcd-backups, endpoint: \"" + endpoint
                                    + "\", pathStyle: true, credentialsRef: {name: storage}}}")));

            assertThat(failed.trouble()).isEqualTo(Trouble.CONFIGURATION);
            assertThat(failed.seen()).contains("what answers at " + endpoint + " is not S3 (text/html)");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void failsForUnlistedPlaceAndNamesLineThatAllowsIt() throws IOException {
        places("s3://other/ region=here");

        var failed = failed(checks(
                stores(),
                desired(
                        Map.of("orders", "prod"),
                        "{s3: {bucket: etcd-backups, region: here, credentialsRef: {name: storage}}}")));

        assertThat(failed.trouble()).isEqualTo(Trouble.RIGHTS);
        assertThat(failed.seen())
                .contains("may not be used with the credential set storage")
                .contains("s3://etcd-backups/ endpoint=https://s3.here.amazonaws.com");
    }
}
