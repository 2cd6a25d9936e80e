package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Credentials and backups reach the server that the operator named for them, and no other: each test counts what
/// arrives at a server that must see nothing.
class OtherServersTest {
    @TempDir
    Path folder;

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private HttpServer thief;

    @BeforeEach
    void start() throws IOException {
        thief = server((path) -> new Answer(200, "", ""));
        set("storage", "access-key-id", "AKID");
        set("storage", "secret-access-key", "hush");
        set("storage", "session-token", "token");
    }

    @AfterEach
    void stop() {
        thief.stop(0);
    }

    private record Answer(int status, String type, String body, Map<String, String> headers) {
        Answer(int status, String type, String body) {
            this(status, type, body, Map.of());
        }
    }

    @FunctionalInterface
    private interface Script {
        Answer answer(String path);
    }

    private HttpServer server(Script script) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                if (server == thief) {
                    arrived.add(exchange.getRequestURI() + " "
                            + exchange.getRequestHeaders().keySet());
                }
                var answer = script.answer(exchange.getRequestURI().getPath());
                answer.headers()
                        .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
                if (!answer.type().isEmpty()) {
                    exchange.getResponseHeaders().set("Content-Type", answer.type());
                }
                byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(answer.status(), none ? -1 : body.length);
                if (!none) {
                    exchange.getResponseBody().write(body);
                }
            }
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void set(String name, String file, String text) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(name)).resolve(file), text);
    }

    private BackupStore open(Destination destination) {
        return open(destination, StoreAddresses.byDns(), Map.of());
    }

    private BackupStore open(Destination destination, StoreAddresses addresses, Map<String, String> more) {
        var environment = new java.util.HashMap<>(more);
        environment.put("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString());
        return new Stores(environment, addresses, InstantSource.system()).open(destination);
    }

    private static Destination s3(String bucket, String endpoint, boolean pathStyle, Optional<String> set) {
        return new Destination.S3(
                bucket, "", Optional.of(endpoint), Optional.empty(), pathStyle, set, Optional.empty());
    }

    private static Destination s3(String endpoint) {
        return s3("backups", endpoint, true, Optional.of("storage"));
    }

    private static Destination gcs(String endpoint) {
        return new Destination.Gcs("backups", "", Optional.of(endpoint), Optional.of("google"));
    }

    private static GatewayException refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        var refused = catchThrowableOfType(GatewayException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused).hasMessageNotContaining("hush");
        return refused;
    }

    @Test
    void noSessionTokenGoesToAnEndpointThatADocumentNames() throws IOException {
        set("storage", "places", "s3://backups/ endpoint=https://minio.example");

        var refusal = refused(() -> open(s3(url(thief))).list(""));

        assertThat(refusal.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refusal)
                .hasMessageContaining("s3://backups/ at " + url(thief) + " may not be used with the credential set")
                .hasMessageContaining(folder.resolve("storage/places") + " does not list it");
        assertThat(arrived).isEmpty();
    }

    @Test
    void noKeyOfGoogleGoesToAnEndpointThatADocumentNames() throws IOException {
        google("gs://backups/");

        assertThat(refused(() -> open(gcs(url(thief))).list("")).kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(arrived).isEmpty();
    }

    private void google(String places) throws IOException {
        set("google", "access-key-id", "GOOG1");
        set("google", "secret-access-key", "hush");
        set("google", "places", places);
    }

    @Test
    void neverUsesCredentialsWithoutAllowedPlaces() {
        assertThat(refused(() -> open(s3(url(thief))).list("")))
                .hasMessageContaining("does not exist, so the credential set may not be used anywhere");
        assertThat(arrived).isEmpty();
    }

    @Test
    void keysOfTheEnvironmentAreBoundAsWell() {
        var keys = Map.of("AWS_ACCESS_KEY_ID", "AKID", "AWS_SECRET_ACCESS_KEY", "hush");
        var asked = s3("backups", url(thief), true, Optional.empty());

        assertThat(refused(() -> open(asked, StoreAddresses.byDns(), keys).list("")))
                .hasMessageContaining("the setting ETCD_GITOPS_PLACES does not exist");
        assertThat(arrived).isEmpty();

        var allowed = new java.util.HashMap<>(keys);
        allowed.put("ETCD_GITOPS_PLACES", "s3://backups/ endpoint=" + url(thief));
        refused(() -> open(asked, StoreAddresses.byDns(), allowed).list(""));
        assertThat(arrived).as("where the operator says so it is used").isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void noRedirectOfAnS3ServerIsFollowed(int status) throws IOException {
        var redirecting = server(path -> new Answer(status, "", "", Map.of("Location", url(thief) + path)));
        set("storage", "places", "s3://backups/ endpoint=" + url(redirecting));
        try (var store = open(s3(url(redirecting)))) {
            assertThat(refused(() -> store.list("")))
                    .hasMessageContaining("redirects to another server (status " + status + ")");
            refused(() -> store.read("a", 10));
            refused(() -> store.create("a", new byte[] {1}));
        } finally {
            redirecting.stop(0);
        }

        assertThat(arrived).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void noRedirectOfGooglesServersIsFollowed(int status) throws IOException {
        var redirecting = server(path -> new Answer(status, "", "", Map.of("Location", url(thief) + path)));
        google("gs://backups/ endpoint=" + url(redirecting));
        try (var store = open(gcs(url(redirecting)))) {
            refused(() -> store.list(""));
            refused(() -> store.create("a", new byte[] {1}));
        } finally {
            redirecting.stop(0);
        }

        assertThat(arrived).isEmpty();
    }

    private static StoreAddresses leadingTo(String address) {
        return new StoreAddresses(
                _ -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral(address)});
    }

    @ParameterizedTest
    @CsvSource({
        "169.254.169.254, link-local or metadata",
        "fe80::1, link-local or metadata",
        "fd00:ec2::254, link-local or metadata",
        "100.100.100.200, link-local or metadata",
        "0.0.0.0, cannot belong to a server",
        "224.0.0.1, cannot belong to a server",
        "ff02::1, cannot belong to a server",
    })
    void noNameLeadsToAMetadataService(String address, String why) throws IOException {
        set("storage", "places", "s3://backups/ endpoint=http://minio.team-a.svc:9000 allow-http");

        var refusal = refused(() -> open(s3("http://minio.team-a.svc:9000"), leadingTo(address), Map.of()));

        assertThat(refusal)
                .hasMessageContaining("the name minio.team-a.svc leads to")
                .hasMessageContaining(why);
    }

    @Test
    void allowsLinkLocalStoreIfOperatorListsIt() throws IOException {
        set("storage", "places", "s3://backups/ endpoint=https://minio.example allow-link-local");

        open(s3("https://minio.example"), leadingTo("169.254.10.10"), Map.of()).close();
        refused(() -> open(s3("https://minio.example"), leadingTo("0.0.0.0"), Map.of()));
    }

    @Test
    void localhostIsThisMachineOrRefused() throws IOException {
        set("storage", "places", "s3://backups/ endpoint=http://localhost:9000");

        assertThat(refused(() -> open(s3("http://localhost:9000"), leadingTo("10.0.0.2"), Map.of())))
                .hasMessageContaining("leads to another host, and the endpoint is not encrypted");
    }

    @Test
    void resolvesBucketHostUnlessPathStyle() throws IOException {
        set("storage", "places", "s3://backups/ endpoint=https://minio.example");
        var asked = new CopyOnWriteArrayList<String>();
        var addresses = new StoreAddresses(host -> {
            asked.add(host);
            throw new UnknownHostException(host);
        });

        open(s3("backups", "https://minio.example", false, Optional.of("storage")), addresses, Map.of())
                .close();
        open(s3("https://minio.example"), addresses, Map.of()).close();

        assertThat(asked).containsExactly("backups.minio.example", "minio.example");
    }

    @ParameterizedTest
    @CsvSource({
        "text/html; charset=utf-8, <!doctype html><html>Welcome</html>, (text/html)",
        "application/json, {}, (application/json)",
        "application/xml, <html/>, (application/xml)",
        "'', '', (an answer without a content type)",
        "text/html\u001b[31m, <html/>, (an answer without a content type)",
    })
    void reportsServerThatIsNotS3(String type, String body, String shown) throws IOException {
        var page = server(_ -> new Answer(200, type.replace("\u001b", "%1b"), body));
        set("storage", "places", "s3://backups/ endpoint=" + url(page));
        try (var store = open(s3(url(page)))) {
            String words = "what answers at " + url(page) + " is not S3 " + shown;

            assertThat(refused(() -> store.list(""))).hasMessageContaining(words);
            assertThat(refused(() -> store.read("a", 10))).hasMessageContaining("is not S3");
            assertThat(refused(() -> store.create("a", new byte[] {1}))).hasMessageContaining("is not S3");
            assertThat(refused(() -> store.abandon("", java.time.Duration.ZERO)))
                    .hasMessageContaining(words);
        } finally {
            page.stop(0);
        }
    }

    @Test
    void unknownBucketHostSuggestsPathStyle() throws IOException {
        set("storage", "places", "s3://backups/ endpoint=https://minio.invalid");
        try (var store = open(s3("backups", "https://minio.invalid", false, Optional.of("storage")))) {
            assertThat(refused(() -> store.list("")))
                    .hasMessageContaining("the store's host name backups.minio.invalid is not known")
                    .hasMessageContaining("`pathStyle: true`");
        }
    }

    @Test
    void noSymbolicLinkLeadsOutOfAnAllowedDirectory() throws IOException {
        Path allowed = Files.createDirectories(folder.resolve("backups"));
        Path secret = Files.createDirectories(folder.resolve("elsewhere/data"));
        Files.createSymbolicLink(allowed.resolve("link"), secret);
        Files.createSymbolicLink(folder.resolve("alias"), allowed);
        var places = Map.of("ETCD_GITOPS_PLACES", "file://" + allowed);

        for (var asked : List.of(
                new Destination.Directory(allowed + "/link", ""),
                new Destination.Directory(allowed.toString(), "link/"),
                new Destination.Directory(allowed.toString(), "link/deeper/"),
                new Destination.Directory(allowed + "/../elsewhere", ""),
                new Destination.Directory(secret.toString(), ""),
                new Destination.Directory(folder + "/alias", ""),
                new Destination.Directory("/", ""))) {
            assertThat(refused(() -> open(asked, StoreAddresses.byDns(), places))
                            .kind())
                    .as(asked.title())
                    .isEqualTo(Kind.UNAUTHORIZED);
        }
        open(new Destination.Directory(allowed.toString(), "new/"), StoreAddresses.byDns(), places)
                .create("a", new byte[] {1});
        assertThat(allowed.resolve("new/a")).exists();
    }
}
